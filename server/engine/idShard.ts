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
/** Words of an entry that a snapshot keeps. */
const SAVED = 6
/** Slots are filled to seven tenths at most. */
const FULL = 0.7
/** Entries of a block, as a power of two: they grow block by block, so that none is ever copied nor left as garbage. */
const BLOCK_BITS = 7
const BLOCK = 1 << BLOCK_BITS
/** Dead ids whose room is given back for each new one: two, so that they go twice as fast as new ones come. */
const SWEEP = 2
/** Dead ids whose slots are fetched together. */
const TOGETHER = 64

/**
 * A sixteenth of the live ids. The table holds a word of hash and a number, 8 bytes a slot; the entries it points at
 * are 28 bytes, so an id takes 39 to 51 bytes. A new id is found to be new by its slot alone, and its entry is written
 * where the last one was freed. The entries of a window are a list, by which they are found again when it closes.
 */
export class IdShard {
  /** First word of the hash and number plus 1 of the entry, side by side; number 0 is an empty slot. */
  #slots = new Int32Array(LEAST_SLOTS * 2)
  #mask = LEAST_SLOTS - 1
  #blocks: Int32Array[] = []
  /** Slots and entries in use, dead ones included; entries ever used. */
  #used = 0
  #made = 0
  #free = 0
  /** Latest entry of each live window, and of those that were released and are not yet given back; number plus 1. */
  #heads = new Map<number, number>()
  #dead: number[] = []
  #lastWindow = 0
  #lastHead = 0
  /** New ids since the last tidying. */
  #news = 0
  /** What was read for the cache's sake; kept, so that no compiler leaves the reading out. */
  prefetched = 0
  readonly #swept = new Int32Array(TOGETHER)

  get bytes(): number {
    return this.#slots.byteLength + this.#blocks.length * BLOCK * WIDTH * Int32Array.BYTES_PER_ELEMENT
  }

  /** Reads the slot at which `a` is looked for first, so that it is in the cache when it is needed. */
  prefetch(a: number): number {
    return this.#slots[(a & this.#mask) * 2] ?? 0
  }

  find(a: number, b: number, c: number, d: number, live: ReadonlyMap<number, number>): number | null {
    const slots = this.#slots
    const wrap = this.#mask * 2 + 1
    for (let i = (a & this.#mask) * 2; ; i = (i + 2) & wrap) {
      const number = slots[i + 1] ?? 0
      if (number === 0) return null
      if (slots[i] === a && this.#is(number - 1, b, c, d, live)) {
        return this.#block(number - 1)[placeOf(number - 1) + CONTENT] ?? 0
      }
    }
  }

  #is(number: number, b: number, c: number, d: number, live: ReadonlyMap<number, number>): boolean {
    const entries = this.#block(number)
    const e = placeOf(number)
    return (
      entries[e + B] === b &&
      entries[e + C] === c &&
      entries[e + D] === d &&
      live.has(entries[e + WINDOW] ?? 0)
    )
  }

  insert(a: number, b: number, c: number, d: number, content: number, window: number): void {
    if (this.#used + 1 > (this.#mask + 1) * FULL) this.#growSlots()
    const number = this.#take()
    const entries = this.#block(number)
    const e = placeOf(number)
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
    this.#news++
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

  /** Gives back the room of dead ids, two for each one that came since; to be called once a record. */
  tidy(): void {
    const due = this.#news * SWEEP
    this.#news = 0
    for (let left = due; left > 0 && this.#dead.length > 0; left -= TOGETHER)
      this.#sweep(Math.min(left, TOGETHER))
  }

  /**
   * Gives back up to `most` dead entries and their slots. What costs is waiting for memory: the slots are asked for
   * together, so that one waits while the others come.
   */
  #sweep(most: number): void {
    const swept = this.#swept
    let count = 0
    let prefetched = 0
    while (count < most) {
      const number = this.#nextDead()
      if (number === 0) break
      prefetched ^= this.prefetch(this.#block(number - 1)[placeOf(number - 1) + A] ?? 0)
      swept[count++] = number
    }
    this.prefetched = prefetched
    for (let k = 0; k < count; k++) this.#giveBack(swept[k] ?? 0)
  }

  /** Number plus 1 of the next dead entry, taken off its list; 0 when there is none. */
  #nextDead(): number {
    const number = this.#dead.pop()
    if (number === undefined) return 0
    const next = this.#block(number - 1)[placeOf(number - 1) + NEXT] ?? 0
    if (next !== 0) this.#dead.push(next)
    return number
  }

  #giveBack(number: number): void {
    const entries = this.#block(number - 1)
    const e = placeOf(number - 1)
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
      this.#free = this.#block(number)[placeOf(number) + NEXT] ?? 0
      return number
    }
    if (this.#made === this.#blocks.length * BLOCK) this.#blocks.push(new Int32Array(BLOCK * WIDTH))
    return this.#made++
  }

  /** The block that holds entry `number`. */
  #block(number: number): Int32Array {
    const block = this.#blocks[number >> BLOCK_BITS]
    if (!block) throw new RangeError('entry out of range')
    return block
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
    // Dead ones that are not given back yet are counted too, and cut off at the end.
    const out = new Int32Array(this.#used * SAVED)
    let at = 0
    for (const [window, head] of this.#heads) {
      if (!live.has(window)) continue
      for (let number = head; number !== 0; ) {
        const entries = this.#block(number - 1)
        const e = placeOf(number - 1)
        for (let k = A; k <= WINDOW; k++) out[at++] = entries[e + k] ?? 0
        number = entries[e + NEXT] ?? 0
      }
    }
    return out.subarray(0, at)
  }
}

/** Where entry `number` begins in its block. */
function placeOf(number: number): number {
  return (number & (BLOCK - 1)) * WIDTH
}
