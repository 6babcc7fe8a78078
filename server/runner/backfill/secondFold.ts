import { setImmediate as turn } from 'node:timers/promises'
import { isLateCommand, type LateCommand } from '../../contracts/command'
import type { Flush } from '../../contracts/flush'
import type { JournalRecord } from '../../contracts/journalRecord'
import type { PipelineSpec } from '../../contracts/pipelineSpec'
import { specUnder, underViews } from '../../engine/backfill/underViews'
import type { Hydration } from '../../engine/reconcile/hydration'
import { type EngineState, initialState, type PendingChange } from '../../engine/state'
import { type Past, step } from '../../engine/step'
import type { Journal } from '../../journal/port'
import { FlushBuffer, OPEN_TOTALS_EVERY } from '../flushBuffer'

const READ_AT_ONCE = 64
const WRITE_AT = 2_500

/** What the views that change made of the records since the last write. */
export type FilledRows = Pick<Flush, 'rows' | 'revisions' | 'closed'>

export interface SecondFoldDeps {
  readonly journal: Pick<Journal, 'read' | 'first'>
  /** The definition in force just before a position, for a journal whose beginning is trimmed. */
  readonly specBefore: (position: number) => Promise<PipelineSpec | null>
  readonly hydrate: (state: EngineState, command: LateCommand, position: number) => Promise<Hydration>
  readonly write: (filled: FilledRows) => Promise<void>
  /** Called between two records; rejects to give up. */
  readonly pause: () => Promise<void>
}

/**
 * The second fold of a change (semantics.md §7): the retained journal under the new views, from its beginning. What
 * the changed views say is written under their own version; everything else is as the first fold had it.
 */
export class SecondFold {
  readonly #deps: SecondFoldDeps
  readonly #change: PendingChange
  readonly #state = initialState()
  readonly #buffer = new FlushBuffer()
  #began = false
  /** Time of the buffer, in which totals of open windows are always due, ms. */
  #clock = 0

  constructor(change: PendingChange, deps: SecondFoldDeps) {
    this.#change = change
    this.#deps = deps
  }

  get position(): number {
    return this.#state.position
  }

  /** Folds up to a position and writes all that came of it. Returns the state there. */
  async foldTo(position: number): Promise<EngineState> {
    if (!this.#began) await this.#begin()
    while (this.#state.position < position) {
      const limit = Math.min(READ_AT_ONCE, position - this.#state.position)
      const records = await this.#deps.journal.read(this.#state.position, limit)
      if (records[0]?.position !== this.#state.position + 1)
        throw new Error(`the journal has no position ${this.#state.position + 1}`)
      for (const record of records) await this.#fold(record)
    }
    await this.#write()
    return this.#state
  }

  async #begin(): Promise<void> {
    const first = (await this.#deps.journal.first()) ?? 1
    this.#began = true
    if (first === 1) return
    const spec = await this.#deps.specBefore(first)
    if (!spec) throw new Error(`no definition is known from before position ${first}`)
    const [next] = await this.#deps.journal.read(first - 1, 1)
    const position = first - 1
    step(this.#state, { kind: 'spec', at: next?.at ?? 0, spec: specUnder(spec, this.#change), position })
  }

  async #fold(record: JournalRecord): Promise<void> {
    const past = await this.#past(record)
    this.#buffer.add(record, step(this.#state, underViews(record, this.#change), past), null)
    if (this.#buffer.size >= WRITE_AT) await this.#write()
    await turn()
    await this.#deps.pause()
  }

  async #past(record: JournalRecord): Promise<Past | undefined> {
    if (record.kind !== 'command') return undefined
    const { command } = record
    if (command.kind === 'switchSpec') return { filled: this.#state }
    if (!isLateCommand(command)) return undefined
    // What it asks for stands in the database only once it is written.
    await this.#write()
    return this.#deps.hydrate(this.#state, command, record.position)
  }

  async #write(): Promise<void> {
    this.#clock += OPEN_TOTALS_EVERY
    const { flush } = this.#buffer.take(this.#state, this.#state.position, this.#clock)
    const changed = new Set(
      this.#change.views.filter((v) => v.version === this.#change.position).map((v) => v.id),
    )
    const ours = ({ view, version }: { view: string; version: number }) =>
      version === this.#change.position && changed.has(view)
    const rows = flush.rows.filter(ours)
    const revisions = flush.revisions.filter(ours)
    const closed = flush.closed.filter(ours)
    if (rows.length + revisions.length + closed.length > 0)
      await this.#deps.write({ rows, revisions, closed })
  }
}
