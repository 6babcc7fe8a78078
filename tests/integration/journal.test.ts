import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JournalRecord } from '@/server/contracts/journalRecord'
import { PostgresJournal } from '@/server/journal/postgres'
import { createStore, type Store } from '@/server/store/client'
import { freshDatabase } from '@/tests/support/database'
import { orders, silent } from '@/tests/support/pipeline'
import { tcpProxy } from '@/tests/support/tcpProxy'

const databases: { drop(): Promise<void> }[] = []
afterAll(async () => {
  for (const database of databases) await database.drop()
})

async function setUp(over: { giveUpAfter?: number } = {}) {
  const database = await freshDatabase()
  databases.push(database)
  const proxy = await tcpProxy(new URL(database.url))
  const store = createStore(proxy.url)
  const direct = createStore(database.url)
  const fatal: Error[] = []
  const open = (through: Store = store) =>
    PostgresJournal.open({
      store: through,
      logger: silent,
      monotonic: () => performance.now(),
      onFatal: (error) => fatal.push(error),
      ...over,
    })
  const rows = () =>
    direct.prisma.journal.findMany({
      select: { position: true, appendId: true },
      orderBy: { position: 'asc' },
    })
  const close = async () => {
    await store.close()
    await direct.close()
    await proxy.close()
  }
  return { proxy, direct, open, rows, fatal, close }
}

describe('journal in Postgres', () => {
  let t: Awaited<ReturnType<typeof setUp>>
  beforeEach(async () => {
    t = await setUp()
  })
  afterEach(() => t.close())

  it('positions follow one another without gaps, in the order of the calls, in far fewer commits', async () => {
    const journal = await t.open()
    const told: number[] = []
    journal.onAppended((records) => told.push(...records.map((r) => r.position)))
    const positions = await Promise.all(
      Array.from({ length: 300 }, (_, i) => journal.append(orders(1_000 + i, 500))),
    )
    const wanted = Array.from({ length: 300 }, (_, i) => i + 1)
    expect(positions).toEqual(wanted)
    expect(told).toEqual(wanted)
    const rows = await t.rows()
    expect(rows.map((r) => Number(r.position))).toEqual(wanted)
    expect(new Set(rows.map((r) => r.appendId)).size).toBeLessThan(30)
  })

  it('what is read back is what was appended', async () => {
    const journal = await t.open()
    const seen: JournalRecord[] = []
    journal.onAppended((records) => seen.push(...records))
    await journal.append(orders(1_000, 500, 600))
    await journal.append({ kind: 'tick', at: 2_000 })
    await journal.append({ kind: 'resumed', at: 3_000, pausedAt: 2_000 })
    expect(await journal.read(0, 10)).toEqual(seen)
    expect(await journal.read(2, 10)).toEqual(seen.slice(2))
    expect(await journal.end()).toEqual({ position: 3, at: 3_000 })
  })

  it('a COMMIT whose answer is lost is looked up: acknowledged once, kept once', async () => {
    const journal = await t.open()
    await journal.append({ kind: 'tick', at: 1 })
    t.proxy.set('cutAnswers')
    const append = journal.append(orders(1_000, 500))
    await vi.waitFor(async () => expect(await t.rows()).toHaveLength(2), { timeout: 5_000 })
    t.proxy.set('pass')
    expect(await append).toBe(2)
    expect(await t.rows()).toHaveLength(2)
    // The server could not take anything for a while: position 3 says so.
    expect(await journal.append({ kind: 'tick', at: 2_000 })).toBe(4)
    expect(await journal.read(2, 10)).toMatchObject([
      { position: 3, kind: 'resumed', at: 2_000, pausedAt: 1_000 },
      { position: 4, kind: 'tick' },
    ])
  })

  it('an append that never reached the database is written when the database is back', async () => {
    const journal = await t.open()
    t.proxy.set('refuse')
    const append = journal.append(orders(1_000, 500))
    await new Promise((resolve) => setTimeout(resolve, 600))
    t.proxy.set('pass')
    expect(await append).toBe(1)
  })

  it('two servers on one journal: the second to write ends instead of writing over the first', async () => {
    const [first, second] = [await t.open(), await t.open(t.direct)]
    await first.append({ kind: 'tick', at: 1 })
    void second.append({ kind: 'tick', at: 2 }).catch(() => {})
    await vi.waitFor(() => expect(t.fatal).toHaveLength(1))
    expect(String(t.fatal[0])).toContain('position 1 was written by another server')
    expect(await t.rows()).toHaveLength(1)
  })

  it('a damaged record is named by its position', async () => {
    const journal = await t.open()
    await journal.append(orders(1_000, 500))
    await t.direct.prisma.$executeRawUnsafe(
      'UPDATE journal SET body = set_byte(body, 40, 255 - get_byte(body, 40))',
    )
    await expect(journal.read(0, 1)).rejects.toThrow(
      'journal position 1 is damaged: its checksum does not match',
    )
  })
})

describe('journal in Postgres, database away', () => {
  it('tells producers to come back in time, keeps nothing half, and goes on when the database is back', async () => {
    const t = await setUp({ giveUpAfter: 700 })
    const journal = await t.open()
    const told: number[] = []
    journal.onAppended((records) => told.push(...records.map((r) => r.position)))
    t.proxy.set('refuse')
    const started = performance.now()
    await expect(journal.append(orders(1_000, 500))).rejects.toMatchObject({
      code: 'journal_unavailable',
      retryAfter: 5,
    })
    expect(performance.now() - started).toBeLessThan(5_000)
    t.proxy.set('pass')
    const position = await journal.append(orders(5_000, 500))
    // The refused group is settled first, so the runner sees both, in order; what was sent again is a duplicate.
    expect(position).toBe(3)
    expect(told).toEqual([1, 2, 3])
    await t.close()
  })

  it('an outage is bracketed in the same INSERT as what first comes afterwards, and only once', async () => {
    const t = await setUp({ giveUpAfter: 300 })
    const journal = await t.open()
    await journal.append({ kind: 'tick', at: 1_000 })
    t.proxy.set('refuse')
    const at = [2_000, 3_000, 4_000]
    for (const time of at) await expect(journal.append({ kind: 'tick', at: time })).rejects.toThrow()
    t.proxy.set('pass')
    await journal.append(orders(9_000, 500))
    await journal.append(orders(9_100, 500))
    expect(await journal.read(0, 10)).toMatchObject([
      { kind: 'tick', at: 1_000 },
      // Tried first when the outage began, so kept: up to here the server took what came.
      { kind: 'tick', at: 2_000 },
      { kind: 'resumed', at: 9_000, pausedAt: 2_000 },
      { kind: 'events', at: 9_000 },
      { kind: 'events', at: 9_100 },
    ])
    const rows = await t.rows()
    expect(rows[2]?.appendId).toBe(rows[3]?.appendId)
    expect(rows[1]?.appendId).not.toBe(rows[2]?.appendId)
    await t.close()
  })

  it('what came while the database was away stands inside the bracket', async () => {
    const t = await setUp()
    const journal = await t.open()
    t.proxy.set('refuse')
    const tried = journal.append(orders(1_000, 500))
    await new Promise((resolve) => setTimeout(resolve, 100))
    const waited = [1_001, 1_002].map((at) => journal.append(orders(at, 500)))
    await new Promise((resolve) => setTimeout(resolve, 400))
    t.proxy.set('pass')
    expect(await Promise.all([tried, ...waited])).toEqual([1, 3, 4])
    expect(await journal.append({ kind: 'tick', at: 9_000 })).toBe(6)
    const records = await journal.read(0, 10)
    expect(records.map(({ kind, at }) => [kind, at])).toEqual([
      ['events', 1_000],
      ['paused', 1_000],
      ['events', 1_001],
      ['events', 1_002],
      ['resumed', 9_000],
      ['tick', 9_000],
    ])
    await t.close()
  })

  it('bytes that wait are bounded: beyond, journal_full and nothing kept', async () => {
    const database = await freshDatabase()
    databases.push(database)
    const store = createStore(database.url)
    const limits = { waitingBytes: 2_000, groupEntries: 64, groupBytes: 1_000 }
    const journal = await PostgresJournal.open({
      store,
      logger: silent,
      limits,
      monotonic: () => performance.now(),
      onFatal: () => {},
    })
    const settled = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => journal.append(orders(1_000 + i, 1))),
    )
    const kept = settled.filter((s) => s.status === 'fulfilled').length
    const refused = settled.flatMap((s) => (s.status === 'rejected' ? [s.reason as unknown] : []))
    expect(refused[0]).toMatchObject({ code: 'journal_full', status: 503 })
    expect(await store.prisma.journal.count()).toBe(kept)
    await store.close()
  })
})
