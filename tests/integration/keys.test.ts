import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '@/server/services/keys/createKey'
import { createKeyVerifier } from '@/server/services/keys/verifyKey'
import { revokeApiKey, revokeApiKeysNamed } from '@/server/store/apiKeys'
import { createStore, type Store } from '@/server/store/client'
import { freshDatabase, noPostgres, query, type TestDatabase } from '../support/database'

describe.skipIf(noPostgres)('ingest keys', () => {
  let database: TestDatabase
  let store: Store

  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  /** A verifier whose time stands still until it is moved, and a count of the queries that it causes. */
  function verifierAt() {
    const clock = { ms: 0, queries: 0 }
    const counted = store.prisma.$extends({
      query: {
        apiKey: {
          findFirst: ({ args, query: run }) => {
            clock.queries++
            return run(args)
          },
        },
      },
    })
    const prisma = counted as unknown as Store['prisma']
    const verifier = createKeyVerifier({ store: { ...store, prisma }, monotonic: () => clock.ms })
    return { verifier, clock }
  }

  it('a key is 32 random bytes, shown once and kept only as a hash', async () => {
    const { id, key, prefix } = await createKey(store, { name: 'till 1' })
    expect(key).toMatch(/^tm_[A-Za-z0-9_-]{43}$/)
    expect(prefix).toBe(key.slice(0, 10))
    const [row] = await query<{ hash: string; text: string }>(
      database.url,
      'SELECT hash, api_key::text AS text FROM api_key WHERE id = $1',
      [id],
    )
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row?.text).not.toContain(key.slice(10))
  })

  it('a right key is known with its name and sources, a wrong one is not', async () => {
    const { id, key } = await createKey(store, { name: 'shops', sources: ['pos-1', 'pos-2'] })
    const { verify } = createKeyVerifier({ store })
    const found = await verify(key)
    expect(found).toEqual({ id, name: 'shops', sources: ['pos-1', 'pos-2'] })
    const last = key.endsWith('A') ? 'B' : 'A'
    expect(await verify(`${key.slice(0, -1)}${last}`)).toBeNull()
  })

  it('what cannot be a key is refused without a query', async () => {
    const { verifier, clock } = verifierAt()
    for (const text of ['', 'tm_', 'Bearer x', `tm_${'a'.repeat(44)}`, "tm_' OR 1=1 --"]) {
      expect(await verifier.verify(text)).toBeNull()
    }
    expect(clock.queries).toBe(0)
  })

  it('an answer holds 2 s, good or bad, and requests at once share one query', async () => {
    const { key } = await createKey(store, { name: 'busy' })
    const { verifier, clock } = verifierAt()
    await Promise.all([verifier.verify(key), verifier.verify(key), verifier.verify(key)])
    expect(clock.queries).toBe(1)
    const unknown = `tm_${'x'.repeat(43)}`
    await verifier.verify(unknown)
    clock.ms = 1_999
    expect(await verifier.verify(unknown)).toBeNull()
    expect(await verifier.verify(key)).not.toBeNull()
    expect(clock.queries).toBe(2)
    clock.ms = 2_000
    await verifier.verify(key)
    expect(clock.queries).toBe(3)
  })

  it('a revoked key lives on for 2 s at most', async () => {
    const { id, key } = await createKey(store, { name: 'lost' })
    const { verifier, clock } = verifierAt()
    expect(await verifier.verify(key)).not.toBeNull()
    expect(await revokeApiKey(store, id, new Date())).toBe(true)
    clock.ms = 2_000
    expect(await verifier.verify(key)).toBeNull()
    expect(await revokeApiKey(store, id, new Date())).toBe(false)
  })

  it('a database that does not answer is an error, and is not remembered', async () => {
    const { key } = await createKey(store, { name: 'patient' })
    const broken = createStore('postgresql://nobody:x@127.0.0.1:1/none')
    const switching = { ...store, prisma: broken.prisma }
    const verifier = createKeyVerifier({ store: switching })
    await expect(verifier.verify(key)).rejects.toThrow()
    switching.prisma = store.prisma
    expect(await verifier.verify(key)).toMatchObject({ name: 'patient' })
    await broken.close()
  })

  it('the last use is noted', async () => {
    const { id, key } = await createKey(store, { name: 'used' })
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    await createKeyVerifier({ store, now: () => at }).verify(key)
    const noted = () =>
      store.prisma.apiKey.findUnique({ where: { id } }).then((row) => row?.lastUsedAt?.getTime())
    await expect.poll(noted).toBe(at)
  })

  it('keys of one name are revoked together, and no others', async () => {
    const { verify } = createKeyVerifier({ store })
    const [first, second] = [
      await createKey(store, { name: 'demo' }),
      await createKey(store, { name: 'demo' }),
    ]
    const other = await createKey(store, { name: 'demo 2' })
    expect(await revokeApiKeysNamed(store, 'demo', new Date())).toBe(2)
    expect(await verify(first.key)).toBeNull()
    expect(await verify(second.key)).toBeNull()
    expect(await verify(other.key)).toMatchObject({ name: 'demo 2' })
  })

  it('a name or source that cannot be is refused', async () => {
    await expect(createKey(store, { name: ' ' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(createKey(store, { name: 'x', sources: ['a b'] })).rejects.toMatchObject({
      code: 'bad_request',
    })
  })
})
