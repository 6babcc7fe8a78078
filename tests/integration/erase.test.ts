import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differencesOf } from '@/server/contracts/audit'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { audit } from '@/server/runner/audit/audit'
import { EraseRefused, erase } from '@/server/runner/erase/erase'
import { createStore, type Store } from '@/server/store/client'
import { tidemark } from '@/tests/support/cli'
import { freshDatabase, query, type TestDatabase } from '@/tests/support/database'
import { batchOf, type Ev, rejectedOf } from '@/tests/support/events'
import { fingerprint } from '@/tests/support/fingerprint'
import { holdLease } from '@/tests/support/heldLease'
import { everyOutcome, play, START } from '@/tests/support/storedPipeline'
import { storeSnapshot } from '@/tests/support/storedSnapshot'

const USER = 'u-1'
let database: TestDatabase
let store: Store

beforeEach(async () => {
  database = await freshDatabase()
  store = createStore(database.url)
})
afterEach(async () => {
  await store.close()
  await database.drop()
})

const record = (ms: number, ...events: Partial<Ev>[]): JournalEntry => {
  const at = START + ms
  const full = events.map((e) => ({
    source: 'web',
    currency: 'CNY',
    amount: '4.00',
    ...e,
    ts: START + (e.ts ?? 0),
  }))
  return { kind: 'events', at, batch: batchOf(full, at), rejected: [] }
}
/** With quarantined events of the user: as text, escaped, broken. */
function story(): JournalEntry[] {
  const raws = ['{"userId":"u-1","amount":"x"}', '{"userId":"u\\u002d1"}', '{"userId":"u-1",']
  const rejected = raws.map((raw, index) => ({ ...rejectedOf('web'), index, raw }))
  const at = START + 290_000
  return [
    ...everyOutcome().slice(0, -1),
    { kind: 'events', at, batch: batchOf([], at), rejected },
    ...everyOutcome().slice(-1),
  ]
}
const erased = (over: Partial<Parameters<typeof erase>[1]> = {}, of = store) =>
  erase(of, { user: USER, sources: [], by: 'ann', reason: 'asked for it', ...over }, () => {})
async function differences(of = store): Promise<number | null> {
  const report = await audit(of, { limit: 20, onProgress: () => {} })
  return report && differencesOf(report)
}
/** Tables that hold the id, in text or in bytes. */
async function holding(url: string): Promise<string[]> {
  const tables = await query<{ name: string; bytes: string[] | null }>(
    url,
    `SELECT c.relname AS name, (SELECT array_agg(a.attname::text) FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.atttypid = 'bytea'::regtype) AS bytes
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
  )
  const found: string[] = []
  for (const { name, bytes } of tables) {
    const inBytes = (bytes ?? []).map((column) => `position('${USER}'::bytea in ${column}) > 0`)
    const where = [`t::text LIKE '%${USER}%'`, `t::text LIKE '%u\\\\u002d1%'`, ...inBytes].join(' OR ')
    if ((await query(url, `SELECT FROM "${name}" t WHERE ${where} LIMIT 1`)).length > 0) found.push(name)
  }
  return found
}
/** Every number of every row, without the names of users. */
const numbers = (url: string) =>
  query(
    url,
    `SELECT view, version, window_id, start_at, end_at, currency, status, revision, gross, refunds, orders, buyers, events,
       by_inactivity, left_out, fired_at, md5(sketch_orders), CASE WHEN view IN ('by_user', 'visits') THEN NULL ELSE dims END AS dims
     FROM window_row ORDER BY view, window_id, currency, dims::text, gross, events`,
  )

describe('erasing a user', () => {
  it('leaves the id nowhere, and every number as it was', async () => {
    await play(database.url, story())
    await storeSnapshot(store, 9)
    const before = await numbers(database.url)
    expect(await holding(database.url)).toEqual([
      'journal',
      'late_event',
      'quarantine',
      'revision',
      'snapshot_segment',
      'window_row',
    ])
    expect(await erased()).toMatchObject({ records: 10, events: 19, differences: 0 })
    expect(await holding(database.url)).toEqual([])
    expect(await numbers(database.url)).toEqual(before)
    expect(await differences()).toBe(0)
    // One pseudonym in the whole database.
    const names = await query(
      database.url,
      `SELECT user_id AS name FROM late_event WHERE user_id LIKE 'erased-%'
       UNION SELECT substring(raw FROM 'erased-[A-Za-z0-9_-]{22}') FROM quarantine WHERE raw LIKE '%erased-%'
       UNION SELECT dims ->> 0 FROM window_row WHERE dims ->> 0 LIKE 'erased-%'
       UNION SELECT dims ->> 0 FROM revision WHERE dims ->> 0 LIKE 'erased-%'`,
    )
    expect(names).toEqual([{ name: expect.stringMatching(/^erased-[\w-]{22}$/) }])
    expect(await query(database.url, 'SELECT FROM snapshot')).toEqual([])
    expect(
      await query(
        database.url,
        'SELECT by, reason, records, events::int, sources, position::int FROM erasure',
      ),
    ).toEqual([{ by: 'ann', reason: 'asked for it', records: 10, events: 19, sources: [], position: 14 }])
  })

  it('changes nothing of what comes after: open windows go on as they would have', async () => {
    const other = await freshDatabase()
    for (const { url } of [database, other]) await play(url, story())
    await erased()
    const rest = [
      record(
        301_000,
        { id: 'x-1', ts: 298_000, user: 'u-2' },
        { id: 'd', ts: 299_000, currency: 'EUR', user: 'u-3' },
      ),
      record(600_000, { id: 'x-2', ts: 599_000, user: 'u-4' }),
      record(900_000, { id: 'x-3', ts: 899_000 }),
    ]
    for (const { url } of [database, other]) await play(url, rest)
    expect(await numbers(database.url)).toEqual(await numbers(other.url))
    const counters = (url: string) => query(url, 'SELECT * FROM pipeline_state')
    expect(await counters(database.url)).toEqual(await counters(other.url))
    expect(await differences()).toBe(0)
    await other.drop()
  })

  it('reaches records that no result follows from yet', async () => {
    await play(database.url, story())
    await query(
      database.url,
      `INSERT INTO journal SELECT 15, kind, at, source, event_count, rejected_count, min_event_time,
      max_event_time, checksum, append_id, body FROM journal WHERE position = 14`,
    )
    expect(await erased()).toMatchObject({ records: 11, events: 20 })
    expect(await holding(database.url)).toEqual([])
  })

  it('writes over the id in a damaged record that the engine passes over', async () => {
    await play(database.url, story())
    await query(database.url, 'UPDATE journal SET checksum = 1 WHERE position = 3')
    await query(database.url, `INSERT INTO skipped_record VALUES (3, 'ann', 'disk', 'checksum')`)
    expect((await erased()).differences).toBeGreaterThan(0)
    expect(await holding(database.url)).toEqual([])
  })
})

describe('an erasure that would change a number', () => {
  it('of one source, where another counts the same user in the same window, is refused and takes all back', async () => {
    await play(database.url, [
      ...story(),
      record(301_000, { id: 'o', source: 'till', ts: 299_000, user: USER, currency: 'EUR' }),
    ])
    const before = await fingerprint(database.url)
    await expect(erased({ sources: ['till'] })).rejects.toThrow(EraseRefused)
    expect(await fingerprint(database.url)).toEqual(before)
    expect(await erased()).toMatchObject({ differences: 0 })
  })

  it('of one source, where no other has the user, leaves what others sent', async () => {
    await play(database.url, [
      ...story(),
      record(3_000_000, { id: 'o', source: 'till', ts: 2_999_000, user: 'u-9' }),
    ])
    expect(await erased({ user: 'u-9', sources: ['till'] })).toMatchObject({ records: 1, events: 1 })
    expect(await holding(database.url)).toContain('journal')
  })

  it('with a trimmed journal, where the snapshot counts the user in an open window, is refused', async () => {
    await play(database.url, story())
    // At 3 the first minutes are open with the user in them, and the user orders again at 4.
    await storeSnapshot(store, 2)
    await query(database.url, 'DELETE FROM journal WHERE position <= 2')
    const before = await fingerprint(database.url)
    await expect(erased()).rejects.toThrow(/oldest snapshot.*Try again when a later snapshot/)
    expect(await fingerprint(database.url)).toEqual(before)
  })

  it('with a trimmed journal, where it does not, is made, and the snapshot stays', async () => {
    await play(database.url, [...story(), record(3_000_000, { id: 'o', ts: 2_999_000, user: 'u-9' })])
    await storeSnapshot(store, 12)
    await storeSnapshot(store, 14)
    await query(database.url, 'DELETE FROM journal WHERE position <= 12')
    expect(await erased({ user: 'u-9' })).toMatchObject({ records: 1, differences: 0 })
    expect(await query(database.url, 'SELECT position::int FROM snapshot')).toEqual([{ position: 12 }])
    expect(await differences()).toBe(0)
  })
})

describe('from the command line', () => {
  it('it needs the database alone, says no id, and keeps none', async () => {
    await play(database.url, story())
    const env = { DATABASE_URL: database.url }
    const release = await holdLease(database.url)
    const busy = await tidemark(['erase', '--user', USER], env)
    await release()
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('an erasure must have it alone') })
    const told = await tidemark(['erase', '--user', USER, '--reason', `because of ${USER}`], env)
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('must not stand in the reason') })
    expect(await holding(database.url)).not.toEqual([])
    const done = await tidemark(['erase', '--user', USER, '--reason', 'asked for it'], env)
    expect(done, done.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('19 events in 10 journal records'),
    })
    for (const { stdout, stderr } of [busy, told, done]) expect(stdout + stderr).not.toContain(USER)
    expect(await holding(database.url)).toEqual([])
    const again = await tidemark(['erase', '--user', USER], env)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing is stored of this user'),
    })
  })
})
