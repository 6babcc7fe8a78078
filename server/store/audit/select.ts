import type { AuditDifference, AuditFindings, AuditLook } from '../../contracts/audit'
import type { Transaction } from '../write/rows'

/** Amounts are read as text, or a driver would make floats of them; sketches by their hash. */
const AS_TEXT = /^(.*_)?(gross|refunds|net|amount)$/
const BYTES = new Set(['sketch_orders', 'sketch_buyers'])

/** The columns of a table named `t` as one JSON object, as SQL. */
export function objectOf(columns: readonly string[], t = 't'): string {
  const pairs = columns.map((column) => {
    const value = `${t}."${column}"`
    if (BYTES.has(column)) return `'${column}', md5(${value})`
    return AS_TEXT.test(column) ? `'${column}', ${value}::text` : `'${column}', ${value}`
  })
  return `jsonb_build_object(${pairs.join(', ')})`
}

/** What a statement that looks for differences yields: one row for each, and how many there are in all. */
interface Found {
  readonly key: Record<string, unknown>
  readonly stored: Record<string, unknown> | null
  readonly expected: Record<string, unknown> | null
  readonly total: bigint
}

export interface Look {
  readonly look: AuditLook
  readonly table: string
  /** Yields key, stored and expected, all JSON objects. */
  readonly sql: string
  readonly values: readonly unknown[]
  /** Counts what was looked at, with the same values. */
  readonly rows: string
}

/** Runs a look and lists at most `limit` of what it finds. */
export async function findDifferences(tx: Transaction, look: Look, limit: number): Promise<AuditFindings> {
  const found = await tx.$queryRawUnsafe<Found[]>(
    `SELECT d.key, d.stored, d.expected, count(*) OVER () AS total FROM (${look.sql}) d ORDER BY d.key LIMIT ${limit}`,
    ...look.values,
  )
  const [counted] = await tx.$queryRawUnsafe<{ rows: bigint }[]>(look.rows, ...look.values)
  const { table } = look
  return {
    look: look.look,
    table,
    rows: Number(counted?.rows ?? 0),
    differences: Number(found[0]?.total ?? 0),
    listed: found.map((row) => narrowed({ look: look.look, table, ...row })),
  }
}

/** Only the columns that differ, where both sides have the row. */
function narrowed({ look, table, key, stored, expected }: AuditDifference): AuditDifference {
  if (!stored || !expected) return { look, table, key, stored, expected }
  const names = Object.keys(expected).filter(
    (name) => JSON.stringify(stored[name]) !== JSON.stringify(expected[name]),
  )
  const part = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, of[name]]))
  return { look, table, key, stored: part(stored), expected: part(expected) }
}
