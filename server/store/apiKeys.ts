import type { Store } from './client'

/** A key as it is stored; the key itself is not. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  /** First 10 characters. */
  readonly prefix: string
  /** SHA-256, hex. */
  readonly hash: string
  /** Sources that it may send as; empty: all. */
  readonly sources: readonly string[]
  /** May give commands to the engine. */
  readonly operator: boolean
}

const FIELDS = { id: true, name: true, prefix: true, hash: true, sources: true, operator: true } as const

/** Stores a new key. */
export async function insertApiKey({ prisma }: Store, row: Omit<ApiKeyRow, 'id'>): Promise<ApiKeyRow> {
  return prisma.apiKey.create({ data: { ...row, sources: [...row.sources] }, select: FIELDS })
}

/** The key with this hash, unless it was revoked. */
export async function findApiKey({ prisma }: Store, hash: string): Promise<ApiKeyRow | null> {
  return prisma.apiKey.findFirst({ where: { hash, revokedAt: null }, select: FIELDS })
}

/** Whether the key may give commands; one that was revoked may not. */
export async function isOperatorKey({ prisma }: Store, id: string): Promise<boolean> {
  return (await prisma.apiKey.count({ where: { id, revokedAt: null, operator: true } })) > 0
}

/** Notes that a key was used. */
export async function touchApiKey({ prisma }: Store, id: string, at: Date): Promise<void> {
  await prisma.apiKey.updateMany({ where: { id }, data: { lastUsedAt: at } })
}

/** From now on the key is nobody's. Returns whether there was one to revoke. */
export async function revokeApiKey({ prisma }: Store, id: string, at: Date): Promise<boolean> {
  const { count } = await prisma.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: at },
  })
  return count > 0
}

/** From now on all keys of this name are nobody's. Returns how many there were to revoke. */
export async function revokeApiKeysNamed({ prisma }: Store, name: string, at: Date): Promise<number> {
  const { count } = await prisma.apiKey.updateMany({
    where: { name, revokedAt: null },
    data: { revokedAt: at },
  })
  return count
}
