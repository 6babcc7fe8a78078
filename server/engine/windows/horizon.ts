import { type Instant, MIN_INSTANT } from '../../contracts/instant'

/**
 * What is too late to be counted (semantics.md §4, §7). A base window that exists is closed when `W >= end - 1 + L`,
 * by the L under which it was made. One that does not exist is closed when its end is not past the horizon, which
 * follows `W - L + 1` and the ends of windows that closed, and never goes back: so a closed window is not opened
 * again when L is raised.
 */
export class Horizon {
  #lateness: number
  end: Instant = MIN_INSTANT

  constructor(lateness: number) {
    this.#lateness = lateness
  }

  /** Allowed lateness in force, for windows not yet made; ms. */
  get lateness(): number {
    return this.#lateness
  }

  setLateness(lateness: number, watermark: Instant): void {
    this.#lateness = lateness
    this.follow(watermark)
  }

  /** The watermark rose. */
  follow(watermark: Instant): void {
    const end = watermark - this.#lateness + 1
    if (end > this.end) this.end = end
  }

  /** A base window closed. */
  pass(end: number): void {
    if (end > this.end) this.end = end
  }

  /** Whether a base window that ends at `end` and does not exist is closed. */
  isClosed(end: number): boolean {
    return end <= this.end
  }
}
