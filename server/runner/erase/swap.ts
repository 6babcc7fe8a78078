/** A user id, what stands in its place from now on, and where it is looked for. */
export interface Swap {
  readonly user: string
  readonly pseudonym: string
  /** Sources that it is limited to; null: all. */
  readonly sources: ReadonlySet<string> | null
  /** What producers call the field: ours, and every name that a source's map gives it. */
  readonly fields: ReadonlySet<string>
}

export function concerns(swap: Swap, source: string): boolean {
  return swap.sources === null || swap.sources.has(source)
}

/**
 * The raw text of a quarantined event with the pseudonym for the id. Where it is JSON: every string that is the id, and
 * a number that is it in a user field; its layout stays where that is enough. Text that is no JSON (a broken line, one
 * that was cut) loses the id wherever it stands by itself: erasing goes before mending there.
 */
export function swapRaw(raw: string, swap: Swap): string {
  const quoted = raw.replaceAll(JSON.stringify(swap.user), JSON.stringify(swap.pseudonym))
  const value = parsed(quoted)
  if (value === undefined) return swapWords(quoted, swap)
  const swapped = swapValue(value, swap, false)
  return swapped === value ? quoted : JSON.stringify(swapped)
}

/** The id wherever it stands by itself in a text. */
export function swapWords(text: string, { user, pseudonym }: Swap): string {
  const literal = user.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}_-])${literal}(?![\\p{L}\\p{N}_-])`, 'gu'), pseudonym)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same value where nothing in it is the id. */
function swapValue(value: unknown, swap: Swap, inField: boolean): unknown {
  if (typeof value === 'string') return value === swap.user ? swap.pseudonym : value
  if (typeof value === 'number') return inField && String(value) === swap.user ? swap.pseudonym : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const swapped = entries.map(([name, v]) => [name, swapValue(v, swap, swap.fields.has(name))] as const)
  if (swapped.every(([, v], i) => v === entries[i]?.[1])) return value
  return Array.isArray(value) ? swapped.map(([, v]) => v) : Object.fromEntries(swapped)
}

/** What of a quarantined event is text of the producer's. */
interface SetAside {
  readonly source: string
  readonly field: string | null
  readonly message: string
  readonly raw: string
}

/** A quarantined event with the pseudonym for the id; the same one where it does not hold it. */
export function swapRejected<T extends SetAside>(rejected: T, swap: Swap): T {
  if (!concerns(swap, rejected.source)) return rejected
  const raw = swapRaw(rejected.raw, swap)
  // Words of a message are ours, but for the value that it shows of the field at fault.
  const shows = rejected.field !== null && swap.fields.has(rejected.field)
  const message = shows ? swapWords(rejected.message, swap) : rejected.message
  return raw === rejected.raw && message === rejected.message ? rejected : { ...rejected, raw, message }
}
