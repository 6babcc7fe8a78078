const LEAST_SLOTS = 16

/**
 * The distinct ids of all keys of one window, in one table: a member is a pair (salt, 128-bit hash), where the salt
 * stands for the key and for what is counted. Exact up to hash equality; 16 bytes a slot, at most two thirds full;
 * freed with the window. One table a window instead of one a key: most keys hold a handful of ids.
 */
export class PairSet {
  #slots = new Uint32Array(LEAST_SLOTS * 4)
  #mask = LEAST_SLOTS - 1
  #size = 0

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#slots.byteLength
  }

  /** Adds the pair of `salt` and the hash at `hashes[at .. at+4)`. True when it was not there. */
  add(salt: number, hashes: Uint32Array, at: number): boolean {
    if (this.#size * 3 >= (this.#mask + 1) * 2) this.#grow()
    const s = Math.imul(salt + 1, 0x9e3779b1)
    const a = ((hashes[at] ?? 0) + s) >>> 0
    const b = ((hashes[at + 1] ?? 0) ^ rotated(s, 7)) >>> 0
    const c = ((hashes[at + 2] ?? 0) + rotated(s, 13)) >>> 0
    // All zero marks an empty slot; the lowest bit of one word is given up for that.
    const d = (((hashes[at + 3] ?? 0) ^ rotated(s, 19)) | 1) >>> 0
    const slots = this.#slots
    for (let slot = a & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const i = slot * 4
      const here = slots[i + 3]
      if (here === 0) {
        slots[i] = a
        slots[i + 1] = b
        slots[i + 2] = c
        slots[i + 3] = d
        this.#size++
        return true
      }
      if (here === d && slots[i] === a && slots[i + 1] === b && slots[i + 2] === c) return false
    }
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Uint32Array(old.length * 2)
    const mask = slots.length / 4 - 1
    for (let i = 0; i < old.length; i += 4) {
      if (old[i + 3] === 0) continue
      let slot = (old[i] ?? 0) & mask
      while (slots[slot * 4 + 3] !== 0) slot = (slot + 1) & mask
      slots.set(old.subarray(i, i + 4), slot * 4)
    }
    this.#slots = slots
    this.#mask = mask
  }
}

function rotated(x: number, r: number): number {
  return (x << r) | (x >>> (32 - r))
}
