import type { Trimmed, TrimmedTable } from '../../contracts/retention'
import type { Store } from '../client'

/** Adds to what is known to be gone from a table. */
export async function noteTrimmed(
  { prisma }: Store,
  name: TrimmedTable,
  keepFrom: number,
  { removed, writtenOff }: Trimmed,
): Promise<void> {
  await prisma.$executeRawUnsafe(
    `INSERT INTO retention AS r (name, removed, written_off, kept_from)
     VALUES ($1::text, $2::bigint, $3::bigint, $4::bigint)
     ON CONFLICT (name) DO UPDATE SET removed = r.removed + excluded.removed,
       written_off = r.written_off + excluded.written_off, kept_from = greatest(r.kept_from, excluded.kept_from),
       ran_at = now()`,
    name,
    ...[removed, writtenOff, keepFrom].map(String),
  )
}
