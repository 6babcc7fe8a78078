/** Orders per second at an hour of a sale day (0 … 24): midnight rush, a quiet night, waves at 10, 14 and 20 h. */
export function ordersPerSecond(hour: number): number {
  const wave = (peak: number, width: number) => Math.exp(-(((hour - peak) / width) ** 2))
  const midnight = Math.exp(-hour / 0.7) + Math.exp(-(24 - hour) / 0.7)
  return 5 + 26 * midnight + 9 * wave(10, 1.5) + 7 * wave(14, 2) + 22 * wave(20.5, 1.8)
}

/** Local hour of an instant with its fraction, in a zone with a whole offset from UTC in hours. */
export function hourAt(instant: number, offsetHours: number): number {
  return (((instant / 3_600_000 + offsetHours) % 24) + 24) % 24
}
