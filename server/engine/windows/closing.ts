import type { Instant } from '../../contracts/instant'
import type { Moment } from '../emitter'
import type { Assigner } from './assigner'
import { DueQueue } from './dueQueue'
import type { Horizon } from './horizon'
import type { BaseView } from './view'
import type { WindowState } from './windowState'

/** By which rule a view's windows close (semantics.md §4, closed). */
export type ClosingRule =
  /** The base view, or one with the same windows: each by its own L. */
  | { readonly kind: 'own' }
  /** When every base window that an event of it could still come by has closed. */
  | { readonly kind: 'byBase'; readonly base: BaseView; readonly assign: Assigner }
  /** By journal time: together with the firing. */
  | { readonly kind: 'journal' }

/** The windows of a view that wait to be closed. */
export class Closing<T extends WindowState> {
  readonly #rule: ClosingRule
  readonly #horizon: Horizon
  /** Last instant at which an event could fall into a window; of a session that is its end, which is touched. */
  readonly #lastInstant: (window: T) => number
  /** By the instant at which they close; by base, by that at which the last of their base windows does. */
  readonly #queue: DueQueue<T>
  /** By base: windows whose last base window, made or not, the horizon has not passed; by the end of that. */
  readonly #ahead: DueQueue<T>

  constructor(rule: ClosingRule, horizon: Horizon, lastInstant: (window: T) => number) {
    this.#rule = rule
    this.#horizon = horizon
    this.#lastInstant = lastInstant
    // A session grows, and is due later then.
    this.#queue = new DueQueue(rule.kind === 'byBase' ? null : (window) => this.#due(window))
    this.#ahead = new DueQueue(rule.kind === 'byBase' ? (window) => this.#baseEnd(window, rule.assign) : null)
  }

  add(window: T): void {
    if (this.#rule.kind === 'byBase') this.#ahead.push(window, this.#baseEnd(window, this.#rule.assign))
    else this.#queue.push(window, this.#due(window))
  }

  clear(): void {
    this.#queue.clear()
    this.#ahead.clear()
  }

  /** Whether a window that is not held has closed, so that no event can open it (semantics.md §4). */
  isPast(start: number, end: number, now: Moment): boolean {
    const rule = this.#rule
    if (rule.kind === 'journal') return end <= now.at
    if (rule.kind === 'own') return this.#horizon.isClosed(end)
    return (
      this.#horizon.isClosed(rule.assign(end - 1).end) &&
      rule.base.closesLatest(start, end - 1) <= now.watermark
    )
  }

  /**
   * Takes the windows that are closed at `now` (the watermark; of a journal view its own time). By base in the order
   * in which they began: when each was due hangs on when it was looked at, and that differs after a restart.
   */
  take(now: Instant): T[] {
    if (this.#rule.kind === 'byBase') this.#lookAhead(this.#rule.base)
    const closed: T[] = []
    for (let window = this.#queue.popDue(now); window; window = this.#queue.popDue(now)) {
      if (this.#isDue(window, now)) closed.push(window)
      else this.add(window)
    }
    return this.#rule.kind === 'byBase' ? closed.sort((a, b) => a.ordinal - b.ordinal) : closed
  }

  /**
   * What the horizon has passed gets no base window any more; it closes with the last of those that there are, which
   * keep the L that they were made under.
   */
  #lookAhead(base: BaseView): void {
    const { end } = this.#horizon
    for (let window = this.#ahead.popDue(end); window; window = this.#ahead.popDue(end)) {
      this.#queue.push(window, base.closesLatest(window.start, this.#lastInstant(window)))
    }
  }

  /** Asked again when its time has come: a session may have grown since. */
  #isDue(window: T, now: Instant): boolean {
    if (this.#rule.kind !== 'byBase') return true
    const { base, assign } = this.#rule
    if (this.#baseEnd(window, assign) > this.#horizon.end) return false
    return base.closesLatest(window.start, this.#lastInstant(window)) <= now
  }

  #due(window: T): Instant {
    return this.#rule.kind === 'own' ? window.closesAt : window.end - 1
  }

  #baseEnd(window: T, assign: Assigner): number {
    return assign(this.#lastInstant(window)).end
  }
}
