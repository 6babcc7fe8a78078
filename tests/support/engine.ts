import type { z } from 'zod'
import { Command, type LateCommand } from '../../server/contracts/command'
import type { ClosedWindow } from '../../server/contracts/flush'
import type { JournalEntry, Mark } from '../../server/contracts/journalRecord'
import type { EventPlace } from '../../server/contracts/lateStore'
import type { Notice } from '../../server/contracts/notice'
import { PipelineSpec } from '../../server/contracts/pipelineSpec'
import { stringAt } from '../../server/contracts/stringTable'
import type { Measures, Revision, WindowStatus } from '../../server/contracts/windowRow'
import { toMeasures } from '../../server/engine/aggregate/measures'
import type { LateOutcome, MissedOutcome, StepOutcome } from '../../server/engine/outcome'
import type { Hydration } from '../../server/engine/reconcile/hydration'
import type { Row } from '../../server/engine/row'
import { restoreSnapshot, takeSnapshot } from '../../server/engine/snapshot'
import { initialState } from '../../server/engine/state'
import { step } from '../../server/engine/step'
import { hydrate } from '../../server/runner/lateStore/hydrate'
import { batchOf, type Ev, rejectedOf } from './events'
import { PastInMemory } from './lateStore/pastInMemory'

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
  readonly windowId: number
  readonly key: string
  readonly status: WindowStatus
  readonly revision: number
  readonly byInactivity: boolean
  readonly leftOut: readonly string[]
}

export type LateSeen = LateOutcome & { readonly id: string }

/** An engine under test and everything that it has said so far. */
export class Run {
  state = initialState()
  readonly spec: PipelineSpec
  readonly revisions: Revision[] = []
  readonly late: LateSeen[] = []
  readonly conflicts: string[] = []
  readonly closed: ClosedWindow[] = []
  readonly missed: MissedOutcome[] = []
  readonly notices: Notice[] = []
  readonly rows = new Map<string, RowSeen>()
  readonly past = new PastInMemory()
  /** Where the late events stand, each time that one came. */
  readonly latePlaces: EventPlace[] = []
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

  paused(at: number): StepOutcome {
    return this.record({ kind: 'paused', at })
  }

  /** Folds one record that holds marks and no events. */
  mark(source: string, mark: number, at = this.state.at): StepOutcome {
    const marks: Mark[] = [{ row: 0, source, mark, at }]
    return this.record({ kind: 'events', at, batch: batchOf([]), rejected: [], marks })
  }

  /** Gives an operator's command. */
  command(command: z.input<typeof Command>, at = this.state.at): StepOutcome {
    const order = { by: 'test', reason: '' }
    return this.record({ kind: 'command', at, command: Command.parse(command), order })
  }

  /** Goes on from a snapshot of the state, as after a restart. */
  restart(): void {
    this.state = restoreSnapshot(takeSnapshot(this.state))
  }

  /** Gives a command of the late store, with what the past says. */
  async tell(command: LateCommand, at = this.state.at): Promise<StepOutcome> {
    const hydration = await hydrate(this.state, command, this.state.position + 1, this.past)
    return this.record({ kind: 'command', at, command, order: { by: 'ann', reason: '' } }, hydration)
  }

  end(at = this.state.at): StepOutcome {
    return this.record({ kind: 'end', at })
  }

  record(entry: JournalEntry, hydration?: Hydration): StepOutcome {
    const record = { ...entry, position: this.state.position + 1 }
    const outcome = step(this.state, record, hydration)
    this.past.add(record, outcome)
    this.revisions.push(...outcome.revisions)
    this.closed.push(...outcome.closed)
    if (entry.kind === 'events') {
      const { strings, eventId } = entry.batch
      const idOf = (row: number) => stringAt(strings, eventId[row] ?? 0)
      for (const { row } of outcome.late) {
        const source = stringAt(strings, entry.batch.source[row] ?? 0)
        this.latePlaces.push({ source, eventId: idOf(row), position: record.position, row })
      }
      this.late.push(...outcome.late.map((late) => ({ ...late, id: idOf(late.row) })))
      this.conflicts.push(...outcome.conflicts.map(({ row }) => idOf(row)))
    }
    this.missed.push(...outcome.missed)
    this.notices.push(...outcome.notices)
    for (const { group, ordinals } of outcome.touched) for (const i of ordinals) this.#see(group.row(i))
    for (const { view, windowId } of outcome.closed) this.#close(`${view}@${windowId}`)
    return outcome
  }

  /** The row of `view` whose window has this id (its start, for most); `key` is the JSON of `[currency, ...dims]`. */
  row(view: string, windowId: number, key = '["USD"]'): RowSeen | undefined {
    return this.rows.get(`${view}@${windowId} ${key}`)
  }

  #see({ view, start, end, windowId, key, status, revision, byInactivity, leftOut, values }: Row): void {
    const at = { view, start, end, windowId, key: key.text, status, revision, byInactivity, leftOut } as const
    const name = `${view}@${windowId}`
    this.rows.set(`${name} ${key.text}`, { ...at, ...toMeasures(values) })
    const rows = this.#byWindow.get(name) ?? new Set()
    this.#byWindow.set(name, rows.add(`${name} ${key.text}`))
  }

  #close(name: string): void {
    for (const key of this.#byWindow.get(name) ?? []) {
      const row = this.rows.get(key)
      if (row && row.status !== 'superseded') this.rows.set(key, { ...row, status: 'closed' })
    }
  }
}
