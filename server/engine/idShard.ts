const LEAST_SLOTS = 64
/** Words of an entry. */
const WIDTH = 7
const A = 0
const B = 1
const C = 2
const D = 3
const CONTENT = 4
const WINDOW = 5
/** Number plus 1 of the entry of the same window that came before it; of a free entry, of the next free one. */
const NEXT = 6
/** Slots are filled to seven tenths at most. */
const FULL = 0.7
/** Entries grow by a quarter: they are what takes the room. */
const GROWTH = 1.25
/** Dead ids whose room is given back with each new one: two, so that they go twice as fast as new ones come. */
const SWEEP = 2

/**
 * A sixteenth of the live ids. The table holds a word of hash and a number, 8 bytes a slot; the entries it points at
 * are 28 bytes, so an id takes 39 to 58 bytes. A new id is found to be new by its slot alone, and its entry is written
 * where the last one was freed. The entries of a window are a list, by which they are found again when it closes.
 */
export class IdShard {
  /** First word of the hash and number plus 1 of the entry, side by side; number 0 is an empty slot. */
  #slots = new Int32Array(LEAST_SLOTS * 2)
  #mask = LEAST_SLOTS - 1
  #entries = new Int32Array(LEAST_SLOTS * WIDTH)
  /** Slots and entries in use, dead ones included; entries ever used. */
  #used = 0
  #made = 0
  #free = 0
  /** Latest entry of each live window, and of those that were released and are not yet given back; number plus 1. */
  #heads = new Map<number, number>()
  #dead: number[] = []
  #lastWindow = 0
  #lastHead = 0

  get bytes(): number {
    return this.#slots.byteLength + this.#entries.byteLength
  }

  find(a: number, b: number, c: number, d: number, live: ReadonlyMap<number, number>): number | null {
    const slots = this.#slots
    const wrap = this.#mask * 2 + 1
    for (let i = (a & this.#mask) * 2; ; i = (i + 2) & wrap) {
      const number = slots[i + 1] ?? 0
      if (number === 0) return null
      if (slots[i] === a && this.#is(number - 1, b, c, d, live)) {
        return this.#entries[(number - 1) * WIDTH + CONTENT] ?? 0
      }
    }
  }

  #is(number: number, b: number, c: number, d: number, live: ReadonlyMap<number, number>): boolean {
    const entries = this.#entries
    const e = number * WIDTH
    return (
      entries[e + B] === b &&
      entries[e + C] === c &&
      entries[e + D] === d &&
      live.has(entries[e + WINDOW] ?? 0)
    )
  }

  insert(a: number, b: number, c: number, d: number, content: number, window: number): void {
    if (this.#dead.length > 0) for (let n = 0; n < SWEEP; n++) this.#sweep()
    if (this.#used + 1 > (this.#mask + 1) * FULL) this.#growSlots()
    const number = this.#take()
    const entries = this.#entries
    const e = number * WIDTH
    entries[e + A] = a
    entries[e + B] = b
    entries[e + C] = c
    entries[e + D] = d
    entries[e + CONTENT] = content
    entries[e + WINDOW] = window
    if (window !== this.#lastWindow) this.#turnTo(window)
    entries[e + NEXT] = this.#lastHead
    this.#lastHead = number + 1
    this.#place(a, number + 1)
    this.#used++
  }

  /** Most ids follow one of their window: its head is kept out of the map. */
  #turnTo(window: number): void {
    if (this.#lastWindow !== 0) this.#heads.set(this.#lastWindow, this.#lastHead)
    this.#lastWindow = window
    this.#lastHead = this.#heads.get(window) ?? 0
  }

  release(window: number): void {
    this.#turnTo(0)
    const head = this.#heads.get(window)
    if (head === undefined) return
    this.#heads.delete(window)
    this.#dead.push(head)
  }

  /** Gives back one dead entry and its slot. */
  #sweep(): void {
    const number = this.#dead.pop()
    if (number === undefined) return
    const entries = this.#entries
    const e = (number - 1) * WIDTH
    const next = entries[e + NEXT] ?? 0
    if (next !== 0) this.#dead.push(next)
    this.#empty(entries[e + A] ?? 0, number)
    entries[e + NEXT] = this.#free
    this.#free = number
    this.#used--
  }

  /** Takes a number out of the table, and closes the gap, so that probes need pass over nothing. */
  #empty(a: number, number: number): void {
    const slots = this.#slots
    const wrap = this.#mask * 2 + 1
    let gap = (a & this.#mask) * 2
    while (slots[gap + 1] !== number) gap = (gap + 2) & wrap
    for (let i = (gap + 2) & wrap; slots[i + 1] !== 0; i = (i + 2) & wrap) {
      const home = ((slots[i] ?? 0) & this.#mask) * 2
      // It may move back to the gap unless that lies before its home.
      if (((i - home) & wrap) < ((i - gap) & wrap)) continue
      slots[gap] = slots[i] ?? 0
      slots[gap + 1] = slots[i + 1] ?? 0
      gap = i
    }
    slots[gap + 1] = 0
  }

  #take(): number {
    if (this.#free !== 0) {
      const number = this.#free - 1
      this.#free = this.#entries[number * WIDTH + NEXT] ?? 0
      return number
    }
    if ((this.#made + 1) * WIDTH > this.#entries.length) {
      const grown = new Int32Array(Math.ceil(this.#made * GROWTH) * WIDTH)
      grown.set(this.#entries)
      this.#entries = grown
    }
    return this.#made++
  }

  #place(a: number, number: number): void {
    const slots = this.#slots
    const wrap = this.#mask * 2 + 1
    let i = (a & this.#mask) * 2
    while (slots[i + 1] !== 0) i = (i + 2) & wrap
    slots[i] = a
    slots[i + 1] = number
  }

  #growSlots(): void {
    const old = this.#slots
    this.#slots = new Int32Array(old.length * 2)
    this.#mask = old.length - 1
    for (let i = 0; i < old.length; i += 2) {
      const number = old[i + 1] ?? 0
      if (number !== 0) this.#place(old[i] ?? 0, number)
    }
  }

  /** Six words of each live id: hash, content, window. */
  save(live: ReadonlyMap<number, number>): Int32Array {
    this.#turnTo(0)
    const out: number[] = []
    for (const [window, head] of this.#heads) {
      if (!live.has(window)) continue
      for (let number = head; number !== 0; number = this.#entries[(number - 1) * WIDTH + NEXT] ?? 0) {
        const e = (number - 1) * WIDTH
        for (let k = A; k <= WINDOW; k++) out.push(this.#entries[e + k] ?? 0)
      }
    }
    return Int32Array.from(out)
  }
}
