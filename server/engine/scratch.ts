/**
 * Memory that every record uses anew and none keeps. Fresh arrays for each record are outside of V8's heap but count
 * against it: with them it collected the whole heap a dozen times a million events. No part of the state.
 */
export class Scratch {
  readonly #kept = new Map<string, Int32Array>()

  /** `length` zeros, good until `name` is asked for again. */
  zeros(name: string, length: number): Int32Array {
    let kept = this.#kept.get(name)
    if (!kept || kept.length < length) {
      kept = new Int32Array(length)
      this.#kept.set(name, kept)
    }
    return kept.subarray(0, length).fill(0)
  }
}
