import type { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import type { SourceSpec } from '../../../server/contracts/sourceSpec'
import type { Strategy } from '../../../server/contracts/strategy'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import type { Counted, Row, Win } from './rows'

export const COUNTERS = [
  ...(['received', 'inTime', 'corrected', 'late', 'duplicate', 'quarantined'] as const),
  ...(['conflict', 'test', 'overflow'] as const),
]
export type Counter = (typeof COUNTERS)[number]
export type Counts = Record<Counter, number>

export interface Source {
  readonly name: string
  /** Settings of its own; what they leave out is the pipeline's. */
  own: Pick<SourceSpec, 'strategy' | 'idleTimeout' | 'test' | 'pulled'>
  strategy: Strategy
  maxTs: number
  W: number
  timer: number
  idle: boolean
  /** What an adaptive strategy has learned, the delays it knows, and the last multiple of its period. */
  learned: number
  delays: number[]
  period: number
  /** Of its last 200 events: was it a day older than the newest before it? */
  stale: boolean[]
  resendsHistory: boolean
  wouldPause: boolean
}

export interface View {
  readonly id: string
  /** Windows that are neither closed nor superseded, and all that ever were. */
  readonly live: Map<number, Win>
  readonly all: Win[]
}

export interface RevisionTold {
  /** Revisions of one moment have one number; their order among each other is nobody's promise. */
  readonly moment: number
  readonly view: string
  readonly windowId: number
  readonly start: number
  readonly end: number
  readonly key: string
  readonly revision: number
  readonly kind: string
  readonly before: string | null
  readonly after: string
  readonly watermark: number | null
}

/** What one record did, as far as it is told to the outside. */
export interface Told {
  readonly revisions: RevisionTold[]
  readonly late: {
    id: string
    windowStart: number
    windowEnd: number
    watermark: number | null
    lateBy: number
  }[]
  readonly missed: {
    id: string
    view: string
    windows: number
    firstStart: number
    lastEnd: number
    watermark: number | null
  }[]
  readonly conflicts: string[]
  /** `view@windowId` */
  readonly closed: string[]
  /** `kind subject` */
  readonly notices: string[]
  /** Views in which a key was folded into `__other__`. */
  readonly overflowed: string[]
  /** The record's command was refused; null without one. */
  refused: boolean | null
}

export interface State {
  spec: PipelineSpec
  /** A change of the views is being filled. */
  filling?: boolean
  at: number
  W: number
  /** A base window that does not exist and ends here or before is closed (decision 16). */
  horizon: number
  readonly sources: Map<string, Source>
  readonly counts: Counts
  readonly bySource: Map<string, Counts>
  readonly views: View[]
  readonly ids: Map<string, Counted>
  /** Rows with a correction that no revision has told yet, in order. */
  readonly pending: Map<Row, Win>
  pausedAt: number | null
  /** When anybody spoke last. */
  heardAt: number
  moment: number
  told: Told
  /** Names of the states that were reached: what the generator is judged by. */
  readonly reached: Set<string>
}

export const MIN = Number.NEGATIVE_INFINITY

export function finite(instant: number): number | null {
  return Number.isFinite(instant) ? instant : null
}

export function zeroCounts(): Counts {
  const zero = { received: 0, inTime: 0, corrected: 0, late: 0, duplicate: 0 }
  return { ...zero, quarantined: 0, conflict: 0, test: 0, overflow: 0 }
}

export function nothingTold(): Told {
  const lists = {
    revisions: [],
    late: [],
    missed: [],
    conflicts: [],
    closed: [],
    notices: [],
    overflowed: [],
  }
  return { ...lists, refused: null }
}

export function count(state: State, source: string, ...counters: Counter[]): void {
  const own = state.bySource.get(source) ?? zeroCounts()
  state.bySource.set(source, own)
  for (const counter of counters) {
    own[counter]++
    state.counts[counter]++
    state.reached.add(counter)
  }
}

export function specOf(state: State, view: View): ViewSpec {
  const spec = state.spec.views.find((v) => v.id === view.id)
  if (!spec) throw new RangeError(`no view ${view.id}`)
  return spec
}
