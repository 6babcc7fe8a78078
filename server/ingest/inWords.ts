const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const

/**
 * A span of ms in words, floored: "33 days", "5 minutes 1 millisecond". A second unit stands beside counts below 10,
 * so that "5 minutes ahead; at most 5 minutes" is never said.
 */
export function inWords(span: number): string {
  const words: string[] = []
  let rest = Math.max(0, Math.floor(span))
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count === 0) continue
    rest -= count * size
    words.push(`${count} ${name}${count === 1 ? '' : 's'}`)
    if (count >= 10 || words.length === 2) break
  }
  return words.join(' ') || '0 milliseconds'
}
