import type { Transaction } from '../write/rows'

/** Last position of the journal; 0 when it is empty. */
export async function journalEnd(tx: Transaction): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ position: bigint | null }[]>(
    'SELECT max(position) AS position FROM journal',
  )
  return Number(row?.position ?? 0)
}

/** Puts another body into a record that stays where it is. `checksum` null: it keeps the one that it has. */
export async function replaceBody(
  tx: Transaction,
  position: number,
  body: Uint8Array,
  checksum: number | null,
): Promise<void> {
  await tx.$executeRawUnsafe(
    'UPDATE journal SET body = $2::bytea, checksum = coalesce($3::bigint, checksum) WHERE position = $1::bigint',
    String(position),
    body,
    checksum === null ? null : String(checksum),
  )
}
