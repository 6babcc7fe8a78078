import type { LateCommand } from '../../contracts/command'
import { otherKey } from '../aggregate/batchKeys'
import type { Emitter, Moment } from '../emitter'
import type { EngineState, PipelineState } from '../state'
import { type EventInHand, windowName } from '../windows/view'
import type { WindowState } from '../windows/windowState'
import { ClosedRows } from './closedRows'
import { Hand } from './hand'
import { type Hydration, pastName, type Touch } from './hydration'

/** Ids that a revision names at most. */
const MOST_IDS = 20

interface Waiting {
  count: number
  readonly rows: number[]
}

export interface ReconcileMoment extends Moment {
  /** Who gave the command. */
  readonly by: string
}

/**
 * Re-injects or voids the events of one command in the windows of all views (semantics.md §6). Closed windows are
 * recomputed from what the journal says of them; windows that are held are changed where they are, so that later
 * events count on top. Each row that was published gets one revision, however many of the events are its.
 */
export class WindowsFold {
  readonly #pipeline: PipelineState
  readonly #reinject: boolean
  readonly #hydration: Hydration
  readonly #moment: ReconcileMoment
  readonly #emit: Emitter
  readonly #hand: Hand
  readonly #events: readonly EventInHand[]
  readonly #waiting = new Map<WindowState, Map<number, Waiting>>()

  constructor(
    state: EngineState,
    pipeline: PipelineState,
    kind: LateCommand['kind'],
    hydration: Hydration,
    moment: ReconcileMoment,
    emit: Emitter,
  ) {
    this.#pipeline = pipeline
    this.#reinject = kind === 'reinject'
    this.#hydration = hydration
    this.#moment = moment
    this.#emit = emit
    const hand = new Hand(state, pipeline, hydration.batch)
    this.#hand = hand
    this.#events = Array.from({ length: hydration.batch.count }, (_, row) => hand.take(row))
  }

  /** Returns the events, each with whether a view counts it under `__other__`. */
  run(): readonly EventInHand[] {
    this.#changeClosed()
    this.#changeHeld()
    for (const [window, rows] of this.#waiting) {
      for (const [ordinal, { count, rows: ids }] of rows) this.#publish(window, ordinal, count, ids)
    }
    return this.#events
  }

  #changeClosed(): void {
    const windows = new Map<string, ClosedRows>()
    for (const touch of this.#hydration.touches) {
      const event = this.#events[touch.row]
      if (!event) continue
      const name = windowName(touch.view.spec.id, touch.windowId)
      const window = windows.get(name) ?? new ClosedRows(touch, this.#hydration)
      windows.set(name, window)
      const ordinal = window.rowOf(this.#keyOf(touch))
      if (touch.isOther) event.overflow = true
      if (this.#reinject) window.add(ordinal, event)
      else window.takeOut(ordinal, event)
      this.#wait(window, ordinal, event.row)
    }
  }

  #keyOf({ row, view, isOther }: Touch) {
    const parts = this.#hand.keys.of(view.spec.groupBy).partsOf(row)
    return isOther ? otherKey(parts) : parts
  }

  #changeHeld(): void {
    for (const view of this.#pipeline.views) {
      for (const event of this.#events) {
        const changed = this.#reinject
          ? view.recount(event, this.#moment)
          : view.takeOut(event, ({ name, key }, kind) => this.#others(event, name, key, kind))
        for (const { window, ordinal } of changed) this.#wait(window, ordinal, event.row)
      }
    }
  }

  /** How many counted events of a scope have the event's id once it is taken out. */
  #others(event: EventInHand, scope: string, key: string, kind: 'orders' | 'buyers'): number {
    const past = this.#hydration.past.get(pastName(scope, key))
    if (!past) throw new RangeError(`${scope} was not looked up for ${key}`)
    return past[kind].add(event.hashes, kind === 'orders' ? event.orderHash : event.userHash, -1)
  }

  #wait(window: WindowState, ordinal: number, row: number): void {
    const rows = this.#waiting.get(window) ?? new Map<number, Waiting>()
    this.#waiting.set(window, rows)
    const waiting = rows.get(ordinal) ?? { count: 0, rows: [] }
    rows.set(ordinal, waiting)
    waiting.count++
    if (waiting.rows.length < MOST_IDS) waiting.rows.push(row)
  }

  /** A window that has not fired just gets new totals. */
  #publish(window: WindowState, ordinal: number, eventCount: number, rows: readonly number[]): void {
    const { at, watermark, by } = this.#moment
    const { batch } = this.#hydration
    if (!window.fired) this.#emit.touch(window, ordinal)
    else
      this.#emit.publish(window, ordinal, { kind: 'reconciled', at, watermark, eventCount, rows, batch, by })
  }
}
