/** Events that are looked at, and how old one must be to be stale, ms (semantics.md §2, stale notice). */
const LAST = 200
const STALE_AFTER = 86_400_000

/**
 * Tells a source that sends its history again: more than half of its last 200 events came a day and more behind what
 * it had sent before. A notice only: such events cannot raise the watermark, and holding it would stop the live ones.
 */
export class StaleWatch {
  /** Ring of the last events: 1 for a stale one. */
  #ring: Uint8Array = new Uint8Array(LAST)
  #known = 0
  #next = 0
  #stale = 0
  resendsHistory = false

  /** Takes in an event and the largest event time before it. True when `resendsHistory` changed. */
  see(eventTime: number, maxTsBefore: number): boolean {
    const stale = eventTime < maxTsBefore - STALE_AFTER ? 1 : 0
    this.#stale += stale - (this.#ring[this.#next] ?? 0)
    this.#ring[this.#next] = stale
    this.#next = this.#next + 1 === LAST ? 0 : this.#next + 1
    if (this.#known < LAST) this.#known++
    const resends = this.#known === LAST && this.#stale > LAST / 2
    if (resends === this.resendsHistory) return false
    this.resendsHistory = resends
    return true
  }

  save(): { ring: Uint8Array; known: number; next: number } {
    return { ring: this.#ring, known: this.#known, next: this.#next }
  }

  restore({ ring, known, next }: ReturnType<StaleWatch['save']>): void {
    this.#ring = ring
    this.#known = known
    this.#next = next
    this.#stale = ring.reduce((sum, x) => sum + x, 0)
    this.resendsHistory = known === LAST && this.#stale > LAST / 2
  }
}
