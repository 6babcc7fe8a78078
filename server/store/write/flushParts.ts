import type { Revision, RowKey, WindowRow } from '../../contracts/windowRow'
import { keyText } from '../keyText'

/** Rows of a flush with the revisions that led to them. */
export interface FlushPart {
  readonly rows: readonly WindowRow[]
  readonly revisions: readonly Revision[]
}

/**
 * The rows of a flush that is too large for one transaction, so many at a time, each with its revisions: whoever reads
 * meanwhile never sees the one without the other. None for a flush that one transaction takes whole.
 */
export function partsOf({ rows, revisions }: FlushPart, most: number): FlushPart[] {
  if (rows.length + revisions.length <= most) return []
  const byRow = new Map<string, Revision[]>()
  for (const revision of revisions) {
    const name = nameOf(revision)
    const known = byRow.get(name)
    if (known) known.push(revision)
    else byRow.set(name, [revision])
  }
  const parts: FlushPart[] = []
  // Most rows of such a flush come with a revision.
  const step = Math.max(1, Math.floor(most / 2))
  for (let i = 0; i < rows.length; i += step) {
    const some = rows.slice(i, i + step)
    parts.push({ rows: some, revisions: some.flatMap((row) => take(byRow, nameOf(row))) })
  }
  const rest = [...byRow.values()].flat()
  for (let i = 0; i < rest.length; i += most) parts.push({ rows: [], revisions: rest.slice(i, i + most) })
  return parts
}

function take(byRow: Map<string, Revision[]>, name: string): Revision[] {
  const revisions = byRow.get(name) ?? []
  byRow.delete(name)
  return revisions
}

function nameOf({ view, version, windowId, currency, dims }: RowKey): string {
  return `${view} ${version} ${windowId} ${keyText(currency, dims)}`
}
