const counts = new Intl.NumberFormat('en')

/** 41204 → "41,204". */
export function count(value: number): string {
  return counts.format(value)
}

/** "1 order", "41,204 orders": a count never stands without its unit (field case 43). */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** "1.9 %", or "n/a" where there is nothing to take a share of. */
export function percent(value: string | null): string {
  return value === null ? 'n/a' : `${value} %`
}

/** "a", "a and b", "a, b and c"; past `max` names "a, b and 3 more". */
export function list(names: readonly string[], max = 3): string {
  const shown = names.slice(0, names.length > max ? max - 1 : max)
  const rest = names.length - shown.length
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
