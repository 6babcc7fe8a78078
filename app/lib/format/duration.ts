const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const

/**
 * A duration as a person says it: the two largest units that matter, "4 min 12 s", "2 h 5 min", "33 d".
 * Cut, not rounded: a clock that says 4 min 12 s has passed 12 and not yet 13. Below a second: "under 1 s".
 */
export function duration(ms: number): string {
  const span = Math.abs(ms)
  if (span < 1_000) return 'under 1\u00a0s'
  const first = UNITS.findIndex((unit) => span >= unit.ms)
  const big = UNITS[first]
  if (!big) return 'under 1\u00a0s'
  const small = UNITS[first + 1]
  const whole = Math.floor(span / big.ms)
  const rest = small ? Math.floor((span - whole * big.ms) / small.ms) : 0
  return small && rest > 0 ? `${unit(whole, big.name)} ${unit(rest, small.name)}` : unit(whole, big.name)
}

/** A figure and its unit stay on one line. */
function unit(value: number, name: string): string {
  return `${value}\u00a0${name}`
}

/** A setting ("5 s", "1 min", "0 s"): exact where seconds suffice, milliseconds below one. */
export function setting(ms: number): string {
  if (ms === 0) return unit(0, 's')
  return ms < 1_000 ? unit(ms, 'ms') : duration(ms)
}
