import type { Instant } from '../../contracts/instant'
import type { ViewSpec } from '../../contracts/pipelineSpec'
import { type Assigner, assignerOf } from './assigner'
import { DueQueue } from './dueQueue'
import { newWindow, type WindowState } from './windowState'

/** The windows of one view that are not closed, and which of them is due next. */
export class ViewState {
  readonly spec: ViewSpec
  readonly isBase: boolean
  readonly assign: Assigner
  readonly windows = new Map<number, WindowState>()
  readonly #toFire = new DueQueue<WindowState>()
  readonly #toClose = new DueQueue<WindowState>()
  #last: WindowState | null = null

  constructor(spec: ViewSpec, isBase: boolean) {
    this.spec = spec
    this.isBase = isBase
    this.assign = assignerOf(spec.window)
  }

  /** The open or fired window that holds an event time, or null. The last one is remembered: most events follow it. */
  find(eventTime: number): WindowState | null {
    const last = this.#last
    if (last !== null && last.start <= eventTime && eventTime < last.end) return last
    const window = this.windows.get(this.assign(eventTime).start) ?? null
    if (window) this.#last = window
    return window
  }

  /** Opens the window of an event time; one whose end the watermark has passed is born fired. */
  open(
    eventTime: number,
    ordinal: number,
    watermark: Instant,
    leftOut: () => readonly string[],
  ): WindowState {
    const { start, end } = this.assign(eventTime)
    const window = newWindow(this.spec.id, this.spec.version, start, end, ordinal)
    this.windows.set(start, window)
    this.#last = window
    if (watermark >= end - 1) {
      window.fired = true
      window.leftOut = leftOut()
    } else this.#toFire.push(window)
    this.#toClose.push(window)
    return window
  }

  /** Takes the next window that fires at `watermark`: `W >= end - 1` (semantics.md §4). */
  nextToFire(watermark: Instant): WindowState | null {
    const next = this.#toFire.peek()
    if (next === undefined || watermark < next.end - 1) return null
    return this.#toFire.pop() ?? null
  }

  /** Takes the next window that closes at `watermark`: `W >= end - 1 + L`. Its state is no longer held here. */
  nextToClose(watermark: Instant, lateness: number): WindowState | null {
    const next = this.#toClose.peek()
    if (next === undefined || !isClosed(next.end, watermark, lateness)) return null
    this.#toClose.pop()
    this.windows.delete(next.start)
    if (this.#last === next) this.#last = null
    return next
  }
}

/** A window is closed when `W >= end - 1 + L` (semantics.md §4). Event and window times are finite, W may not be. */
export function isClosed(end: number, watermark: Instant, lateness: number): boolean {
  return watermark >= end - 1 + lateness
}
