import type { z } from 'zod'
import type { JournalEntry } from '../../server/contracts/journalRecord'
import { PipelineSpec } from '../../server/contracts/pipelineSpec'
import { stringAt } from '../../server/contracts/stringTable'
import type { Measures, Revision, WindowStatus } from '../../server/contracts/windowRow'
import { type Cell, toMeasures, valuesOf } from '../../server/engine/aggregate/cell'
import type { ClosedWindow, LateOutcome, StepOutcome } from '../../server/engine/outcome'
import { initialState } from '../../server/engine/state'
import { step } from '../../server/engine/step'
import { batchOf, type Ev, rejectedOf } from './events'

export * from './events'
export type SpecInput = Partial<z.input<typeof PipelineSpec>>

/** One view `m` of 1,000 ms, bound 0, lateness 0, no idleness; whatever is given replaces it. */
export function spec(over: SpecInput = {}): PipelineSpec {
  return PipelineSpec.parse({
    strategy: { kind: 'bounded', bound: 0 },
    idleTimeout: null,
    allowedLateness: 0,
    views: [{ id: 'm', window: { kind: 'tumbling', size: 1000 } }],
    ...over,
  })
}

export const tumbling = (size: number, offset = 0) => ({ kind: 'tumbling', size, offset }) as const

/** A row as it stood after the last record that changed it. */
export interface RowSeen extends Measures {
  readonly view: string
  readonly start: number
  readonly end: number
  readonly key: string
  readonly status: WindowStatus
  readonly revision: number
  readonly leftOut: readonly string[]
}

export type LateSeen = LateOutcome & { readonly id: string }

/** An engine under test and everything that it has said so far. */
export class Run {
  readonly state = initialState()
  readonly spec: PipelineSpec
  readonly revisions: Revision[] = []
  readonly late: LateSeen[] = []
  readonly conflicts: string[] = []
  readonly closed: ClosedWindow[] = []
  readonly rows = new Map<string, RowSeen>()
  #byWindow = new Map<string, Set<string>>()
  #made = 0

  constructor(over: SpecInput = {}, at = 0) {
    this.spec = spec(over)
    this.record({ kind: 'spec', at, spec: this.spec })
  }

  get watermark(): number {
    return this.state.clock.watermark
  }

  /** Folds one record of events; its time is its last event's, else the last record's. */
  events(...events: Ev[]): StepOutcome {
    const at = Math.max(this.state.at, ...events.map((e) => e.at ?? 0))
    const batch = batchOf(events, at, this.#made)
    this.#made += events.length
    return this.record({ kind: 'events', at, batch, rejected: [] })
  }

  /** Folds each event as a record of its own. */
  oneByOne(...events: Ev[]): StepOutcome[] {
    return events.map((event) => this.events(event))
  }

  reject(source: string, at = this.state.at): StepOutcome {
    return this.record({ kind: 'events', at, batch: batchOf([]), rejected: [rejectedOf(source)] })
  }

  tick(at: number): StepOutcome {
    return this.record({ kind: 'tick', at })
  }

  resumed(pausedAt: number, at: number): StepOutcome {
    return this.record({ kind: 'resumed', at, pausedAt })
  }

  end(at = this.state.at): StepOutcome {
    return this.record({ kind: 'end', at })
  }

  record(entry: JournalEntry): StepOutcome {
    const outcome = step(this.state, { ...entry, position: this.state.position + 1 })
    this.revisions.push(...outcome.revisions)
    this.closed.push(...outcome.closed)
    if (entry.kind === 'events') {
      const { strings, eventId } = entry.batch
      const idOf = (row: number) => stringAt(strings, eventId[row] ?? 0)
      this.late.push(...outcome.late.map((late) => ({ ...late, id: idOf(late.row) })))
      this.conflicts.push(...outcome.conflicts.map(({ row }) => idOf(row)))
    }
    for (const cell of outcome.touched) this.#see(cell)
    for (const { view, start } of outcome.closed) this.#close(`${view}@${start}`)
    return outcome
  }

  /** The row of `view` that starts at `start`; `key` is the JSON of `[currency, ...dims]`. */
  row(view: string, start: number, key = '["USD"]'): RowSeen | undefined {
    return this.rows.get(`${view}@${start} ${key}`)
  }

  #see(cell: Cell): void {
    const { view, start, end, fired, closed, leftOut } = cell.window
    const status = closed ? 'closed' : fired ? 'fired' : 'open'
    const at = { view, start, end, key: cell.key.text, status, revision: cell.revision, leftOut } as const
    const name = `${view}@${start}`
    this.rows.set(`${name} ${cell.key.text}`, { ...at, ...toMeasures(valuesOf(cell)) })
    const rows = this.#byWindow.get(name) ?? new Set()
    this.#byWindow.set(name, rows.add(`${name} ${cell.key.text}`))
  }

  #close(name: string): void {
    for (const key of this.#byWindow.get(name) ?? []) {
      const row = this.rows.get(key)
      if (row) this.rows.set(key, { ...row, status: 'closed' })
    }
  }
}
