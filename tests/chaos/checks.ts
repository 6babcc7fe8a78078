import { differencesOf } from '../../server/contracts/audit'
import { eventAt } from '../../server/contracts/eventBatch'
import { toRecord } from '../../server/journal/rows'
import { readRows } from '../../server/journal/table'
import { audit } from '../../server/runner/audit/audit'
import type { Store } from '../../server/store/client'

/** What a check found wrong, in words; nothing when all is well. */
export type Faults = readonly string[]

const AT_ONCE = 256

/** Journal and results as they stand, against what was acknowledged. */
export class Checks {
  readonly #store: Store
  /** Where each id came first, by source and id; grows with the journal. */
  readonly #first = new Map<string, string>()
  #read = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** Everything that is to hold at any moment, as of the committed position. */
  async all(acknowledged: ReadonlySet<string>): Promise<Faults> {
    return [...(await this.#kept(acknowledged)), ...(await this.#countedOnce()), ...(await this.#audited())]
  }

  /** Acknowledged = kept: each is in the journal. */
  async #kept(acknowledged: ReadonlySet<string>): Promise<Faults> {
    // Before the journal is read: what is acknowledged later need not be there.
    const wanted = [...acknowledged]
    await this.#readOn(Number.MAX_SAFE_INTEGER)
    const lost = wanted.filter((id) => !this.#first.has(id))
    return lost.length === 0 ? [] : [`${lost.length} acknowledged orders are lost, such as ${lost[0]}`]
  }

  async #readOn(upTo: number): Promise<void> {
    for (let more = true; more; ) {
      const rows = await readRows(this.#store, this.#read, AT_ONCE)
      for (const row of rows) {
        if (row.position > upTo) return
        if (row.position !== this.#read + 1) throw new Error(`the journal has no position ${this.#read + 1}`)
        this.#read = row.position
        const record = toRecord(row)
        if (record.kind !== 'events') continue
        for (let i = 0; i < record.batch.count; i++) {
          const { source, eventId } = eventAt(record.batch, i)
          const id = `${source} ${eventId}`
          if (!this.#first.has(id)) this.#first.set(id, `${row.position} ${i}`)
        }
      }
      more = rows.length > 0
    }
  }

  /** Every id of the journal up to the committed position counts once, or stands in the late store once. */
  async #countedOnce(): Promise<Faults> {
    const { state, late } = await this.#results()
    if (!state) return []
    const { received, inTime, corrected, duplicate, quarantined } = state
    const faults: string[] = []
    if (received !== inTime + corrected + state.late + duplicate + quarantined)
      faults.push(`the identity of outcomes does not hold: ${JSON.stringify(state, big)}`)
    let [ids, lateFirst] = [0, 0]
    for (const at of this.#first.values()) {
      if (Number(at.split(' ')[0]) > Number(state.position)) continue
      ids++
      if (late.has(at)) lateFirst++
    }
    const counted = Number(inTime + corrected)
    if (counted + lateFirst !== ids)
      faults.push(`${ids} orders were kept, ${counted} are counted and ${lateFirst} of them are late`)
    return faults
  }

  async #results() {
    return this.#store.prisma.$transaction(
      async (tx) => {
        const state = await tx.pipelineState.findUnique({ where: { id: 1 } })
        const rows = await tx.lateEvent.findMany({ select: { position: true, row: true } })
        return { state, late: new Set(rows.map(({ position, row }) => `${position} ${row}`)) }
      },
      { isolationLevel: 'RepeatableRead' },
    )
  }

  /** Rows, revisions, late rows and counters are those of an undisturbed fold over the same journal. */
  async #audited(): Promise<Faults> {
    const report = await audit(this.#store, { limit: 5, onProgress: () => {} })
    if (!report || differencesOf(report) === 0) return []
    return [`the audit finds ${differencesOf(report)} differences: ${JSON.stringify(report, big)}`]
  }
}

const big = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
