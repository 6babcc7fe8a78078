import { PipelineSpec } from '../../contracts/pipelineSpec'
import type { Transaction } from '../write/rows'

type Real = (table: string) => string

/** Every definition that was in force, oldest first: views by user, and what sources called the field. */
export async function readSpecs(tx: Transaction, real: Real): Promise<PipelineSpec[]> {
  const rows = await tx.$queryRawUnsafe<{ spec: unknown }[]>(
    `SELECT spec FROM ${real('spec_version')} ORDER BY position`,
  )
  return rows.map(({ spec }) => PipelineSpec.parse(spec))
}

/** Replaces the user id in the late store. Returns the rows changed. */
export function replaceInLate(
  tx: Transaction,
  real: Real,
  user: string,
  pseudonym: string,
  sources: readonly string[] | null,
): Promise<number> {
  return tx.$executeRawUnsafe(
    `UPDATE ${real('late_event')} SET user_id = $2
     WHERE user_id = $1 AND ($3::text[] IS NULL OR source = ANY ($3::text[]))`,
    user,
    pseudonym,
    sources,
  )
}

export interface QuarantineTexts {
  readonly position: bigint
  readonly index: number
  readonly source: string
  readonly field: string | null
  readonly message: string
  readonly raw: string
}

const AT_ONCE = 500

/** Hands every quarantined event to `change`, and stores what it returns where that is another. Returns how many. */
export async function rewriteQuarantine(
  tx: Transaction,
  real: Real,
  change: (row: QuarantineTexts) => QuarantineTexts,
): Promise<number> {
  let changed = 0
  let after = { position: 0n, index: -1 }
  for (;;) {
    const rows = await tx.$queryRawUnsafe<QuarantineTexts[]>(
      `SELECT position, index, source, field, message, raw FROM ${real('quarantine')}
       WHERE (position, index) > ($1::bigint, $2::int) ORDER BY position, index LIMIT ${AT_ONCE}`,
      String(after.position),
      after.index,
    )
    for (const row of rows) {
      const next = change(row)
      after = row
      if (next === row) continue
      changed++
      await tx.$executeRawUnsafe(
        `UPDATE ${real('quarantine')} SET raw = $3, message = $4 WHERE position = $1::bigint AND index = $2::int`,
        ...[String(row.position), row.index, next.raw, next.message],
      )
    }
    if (rows.length < AT_ONCE) return changed
  }
}
