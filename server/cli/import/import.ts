import { SOURCE_NAME } from '../../contracts/limits'
import { type ApiTarget, sendEvents } from '../api'
import type { FileEvent } from '../files/fileEvent'
import { readEvents } from '../files/readEvents'
import { FileProblem } from '../problem'
import { startProgress } from '../progress'

export interface ImportOptions {
  readonly batch: number
  readonly skipBad: boolean
}

interface Totals {
  received: number
  accepted: number
  quarantined: number
  badLines: number
}

/** Requests of different sources that are under way at once; those of one source follow one another. */
const LANES = 8

/**
 * Sends a file through the API of a running server (design.md §7). Each source's events keep the order of the file;
 * ids make a second run, or one after a crash, change nothing.
 */
export class Import {
  readonly #lanes = new Map<string, Lane>()
  readonly #totals: Totals = { received: 0, accepted: 0, quarantined: 0, badLines: 0 }

  constructor(
    private readonly file: string,
    private readonly target: ApiTarget,
    private readonly options: ImportOptions,
  ) {}

  async run(): Promise<void> {
    const started = performance.now()
    const progress = startProgress(`import ${this.file}`)
    const reading = { required: [], dimensions: null, onBadLine: (p: FileProblem) => this.#bad(p) }
    try {
      const chunks = readEvents(this.file, reading, (read, size) => {
        progress.update(read, size, `${this.#totals.received} events`)
      })
      for await (const chunk of chunks) {
        for (const event of chunk) this.#add(event)
        await this.#sendFull(this.options.batch)
      }
      await this.#sendFull(1)
      await Promise.all([...this.#lanes.values()].map((lane) => lane.sending))
    } finally {
      progress.stop()
    }
    this.#summary((performance.now() - started) / 1000)
  }

  #add(event: FileEvent): void {
    if (!SOURCE_NAME.test(event.source)) {
      this.#bad(
        new FileProblem(
          this.file,
          event.line,
          'source',
          `${JSON.stringify(event.source)} is no name of a source`,
        ),
      )
      return
    }
    const lane = this.#lanes.get(event.source) ?? { waiting: [], sending: Promise.resolve(), busy: false }
    this.#lanes.set(event.source, lane)
    lane.waiting.push(event)
  }

  /** Sends what is full, and waits where too much is under way: the file is not read faster than it is sent. */
  async #sendFull(least: number): Promise<void> {
    for (const [source, lane] of this.#lanes) {
      while (lane.waiting.length >= least && lane.waiting.length > 0) {
        await lane.sending
        const events = lane.waiting.splice(0, this.options.batch)
        lane.busy = true
        lane.sending = this.#send(source, events).finally(() => {
          lane.busy = false
        })
        // Looked at when awaited; until then a refusal must not end the process.
        lane.sending.catch(() => {})
      }
    }
    const busy = [...this.#lanes.values()].filter((lane) => lane.busy)
    if (busy.length >= LANES) await Promise.race(busy.map((lane) => lane.sending))
  }

  async #send(source: string, events: readonly FileEvent[]): Promise<void> {
    const receipt = await sendEvents(
      this.target,
      source,
      events.map((e) => e.value),
    )
    this.#totals.received += receipt.received
    this.#totals.accepted += receipt.accepted
    this.#totals.quarantined += receipt.quarantined.length
    for (const { index, message } of receipt.quarantined) {
      this.#bad(new FileProblem(this.file, events[index]?.line ?? null, null, message), 'quarantined')
    }
  }

  #bad(problem: FileProblem, what: 'skipped' | 'quarantined' = 'skipped'): void {
    if (!this.options.skipBad) {
      const hint =
        'Mend the file and import it again (what was sent counts once), or leave such lines out with --skip-bad.'
      throw new FileProblem(problem.file, problem.line, problem.column, `${problem.fault}\n${hint}`)
    }
    if (what === 'skipped') this.#totals.badLines++
    if (this.#totals.badLines + this.#totals.quarantined <= 20)
      process.stderr.write(`${what}: ${problem.message}\n`)
  }

  #summary(seconds: number): void {
    const { received, accepted, quarantined, badLines } = this.#totals
    const rate = Math.round(received / seconds).toLocaleString('en')
    process.stdout.write(
      `${received} events sent: ${accepted} accepted, ${quarantined} quarantined; ${seconds.toFixed(1)} s, ${rate} events/s\n`,
    )
    if (badLines > 0) process.stdout.write(`${badLines} bad lines skipped\n`)
  }
}

interface Lane {
  readonly waiting: FileEvent[]
  sending: Promise<void>
  busy: boolean
}
