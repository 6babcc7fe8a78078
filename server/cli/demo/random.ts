/** Chance with a seed, so that a demo can be told again (mulberry32). */
export interface Chance {
  /** [0, 1) */
  unit(): number
  /** Whole number in [0, below) */
  whole(below: number): number
  pick<T>(from: readonly [T, ...T[]]): T
  /** Happens with this probability. */
  happens(probability: number): boolean
  /** Around 0 with deviation 1. */
  normal(): number
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (below: number) => Math.floor(unit() * below)
  return {
    unit,
    whole,
    pick: (from) => from[whole(from.length)] ?? from[0],
    happens: (probability) => unit() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
  }
}
