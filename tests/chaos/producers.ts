import type { Chance } from '../../server/cli/demo/random'

interface Order {
  readonly eventId: string
  readonly orderId: string
  readonly userId: string
  readonly amount: string
  readonly currency: string
  readonly eventTime: number
  readonly type: 'order' | 'refund'
  readonly dimensions: Readonly<Record<string, string>>
}

interface Batch {
  readonly source: string
  readonly events: readonly Order[]
}

const LANES = 4
const PAUSE = 60
/** Batches that are kept to be sent once more for no reason. */
const REMEMBERED = 200

/** Producers that send a known set of orders, retry everything that failed, and some of what did not. */
export class Producers {
  readonly #chance: Chance
  readonly #urls: readonly string[]
  readonly #key: string
  /** Source and id of everything that was acknowledged. */
  readonly acknowledged = new Set<string>()
  sent = 0
  #refused = 0
  #running = true
  #lanes: Promise<void>[] = []
  readonly #done: Batch[] = []

  constructor(chance: Chance, urls: readonly string[], key: string) {
    this.#chance = chance
    this.#urls = urls
    this.#key = key
  }

  get refused(): number {
    return this.#refused
  }

  start(): void {
    this.#lanes = Array.from({ length: LANES }, (_, lane) => this.#run(`pos-${lane + 1}`))
  }

  /** Resolves when every lane has got its last batch acknowledged. */
  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#lanes)
  }

  async #run(source: string): Promise<void> {
    for (let n = 0; this.#running; n++) {
      const batch = { source, events: this.#events(source, n) }
      await this.#deliver(batch)
      this.#done[this.#chance.whole(REMEMBERED)] = batch
      const again = this.#done[this.#chance.whole(REMEMBERED)]
      if (again && this.#chance.happens(0.15)) await this.#send(again)
      await new Promise((resolve) => setTimeout(resolve, this.#chance.whole(PAUSE * 2)))
    }
  }

  /** Some on time, some seconds behind, some so late that their window is closed; now and then one that is malformed. */
  #events(source: string, n: number): Order[] {
    const chance = this.#chance
    const now = Date.now()
    return Array.from({ length: 1 + chance.whole(20) }, (_, i) => {
      const id = `${source}-${n}-${i}`
      const late = chance.happens(0.03)
        ? 45_000 + chance.whole(30_000)
        : chance.happens(0.2)
          ? chance.whole(20_000)
          : 0
      return {
        eventId: id,
        orderId: chance.happens(0.1) ? `${source}-${n}-0` : id,
        userId: `u-${chance.whole(50)}`,
        amount: chance.happens(0.01)
          ? '1,99'
          : `${chance.whole(500)}.${String(chance.whole(100)).padStart(2, '0')}`,
        currency: chance.pick(['EUR', 'CNY']),
        eventTime: now - late - chance.whole(1_500),
        type: chance.happens(0.05) ? 'refund' : 'order',
        dimensions: { region: chance.pick(['east', 'west', 'north']), channel: chance.pick(['web', 'pos']) },
      }
    })
  }

  async #deliver(batch: Batch): Promise<void> {
    while (!(await this.#send(batch))) await new Promise((resolve) => setTimeout(resolve, 150))
  }

  /** To any of the servers. True once it is acknowledged. */
  async #send({ source, events }: Batch): Promise<boolean> {
    this.sent += events.length
    const url = this.#urls[this.#chance.whole(this.#urls.length)] ?? ''
    try {
      const response = await fetch(`${url}/api/ingest/${source}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` },
        body: JSON.stringify(events),
        signal: AbortSignal.timeout(5_000),
      })
      const body = (await response.json()) as { quarantined?: { index: number }[] }
      if (!response.ok) return this.#refuse()
      const aside = new Set(body.quarantined?.map(({ index }) => index))
      for (const [i, event] of events.entries()) {
        if (!aside.has(i)) this.acknowledged.add(`${source} ${event.eventId}`)
      }
      return true
    } catch {
      return this.#refuse()
    }
  }

  #refuse(): false {
    this.#refused++
    return false
  }
}
