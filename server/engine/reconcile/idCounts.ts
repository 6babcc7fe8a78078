interface Wanted {
  readonly b: number
  readonly c: number
  count: number
}

/** How often each of a few ids occurs, by 96 bits of their hashes as in `PairSet`. */
export class IdCounts {
  readonly #byFirst = new Map<number, Wanted[]>()

  /** Ids that are not wanted are not counted. */
  want(hashes: Int32Array, at: number): void {
    if (this.#find(hashes, at)) return
    const a = hashes[at] ?? 0
    const wanted = { b: hashes[at + 1] ?? 0, c: hashes[at + 2] ?? 0, count: 0 }
    const known = this.#byFirst.get(a)
    if (known) known.push(wanted)
    else this.#byFirst.set(a, [wanted])
  }

  /** Adds to the count of a wanted id; returns what it is then. 0 for one that is not wanted. */
  add(hashes: Int32Array, at: number, change: 1 | -1): number {
    const wanted = this.#find(hashes, at)
    if (!wanted) return 0
    wanted.count += change
    return wanted.count
  }

  #find(hashes: Int32Array, at: number): Wanted | undefined {
    const [b, c] = [hashes[at + 1], hashes[at + 2]]
    return this.#byFirst.get(hashes[at] ?? 0)?.find((wanted) => wanted.b === b && wanted.c === c)
  }
}
