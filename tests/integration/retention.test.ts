import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_KEEP } from '@/server/contracts/retention'
import { restoreSnapshot, type SnapshotSegment, takeSnapshot } from '@/server/engine/snapshot'
import { type EngineState, initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { PostgresJournal } from '@/server/journal/postgres'
import { StartupError } from '@/server/platform/startupError'
import { beginJournal } from '@/server/runner/begin'
import { hydrate } from '@/server/runner/lateStore/hydrate'
import { PostgresHistory } from '@/server/runner/lateStore/postgresHistory'
import { startRetention } from '@/server/runner/retention/retention'
import { type TrimDeps, trimAll } from '@/server/runner/retention/trimAll'
import { Runner } from '@/server/runner/runner'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush } from '@/server/store/commitFlush'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { readFirstSpec } from '@/server/store/readFirstSpec'
import { readSpecInForce } from '@/server/store/readSpecInForce'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'
import { minuteSpec, orders, silent } from '@/tests/support/pipeline'

const DAY = 86_400_000
const T0 = Date.UTC(2025, 0, 1)
const day = (n: number) => T0 + n * DAY

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

const openJournal = () =>
  PostgresJournal.open({ store, logger: silent, monotonic: () => performance.now(), onFatal: () => {} })

const trimming = (over: Partial<TrimDeps> = {}) =>
  trimAll({
    store,
    keep: DEFAULT_KEEP,
    now: () => day(10_000),
    pause: async () => {},
    goesOn: () => true,
    ...over,
  })

const sql = (text: string, values?: unknown[]) => query<Record<string, string>>(database.url, text, values)
const count = async (table: string) => Number((await sql(`SELECT count(*) AS n FROM ${table}`))[0]?.n)

/** Committed up to journal time `at`, and a snapshot at position 1,000,000: nothing but age holds rows. */
async function committedAt(at: number): Promise<void> {
  await sql('INSERT INTO pipeline_state (id, position, at) VALUES (1, 1000000, $1)', [at])
  await sql(
    'INSERT INTO snapshot (position, at, rules_version, format, bytes, segments) VALUES (1000000, $1, 1, 1, 0, $2)',
    [at, '[]'],
  )
}

/** One journal record a day, days 0 to 60, folded and committed by the real runner. */
async function sixtyDays(): Promise<void> {
  const journal = await openJournal()
  await beginJournal(
    journal,
    () => day(0),
    { spec: minuteSpec, explicit: true },
    { inForce: null, first: null },
  )
  for (let n = 0; n <= 60; n++) await journal.append(orders(day(n) + 90_000, day(n), day(n) + 61_000))
  const runner = await Runner.start({
    journal,
    journalClock: () => day(60),
    commit: (flush) => commitFlush(store, flush),
    hydrate: (state, command, position) => hydrate(state, command, position, new PostgresHistory(store)),
    isFatal: () => false,
    committedPosition: () => pipelinePosition(store),
    now: () => Date.now(),
    logger: silent,
    onFatal: (error) => {
      throw error
    },
  })
  await runner.stop()
}

async function fold(state: EngineState, upTo = Number.POSITIVE_INFINITY): Promise<EngineState> {
  const journal = await openJournal()
  for (;;) {
    const records = (await journal.read(state.position, 50)).filter(({ position }) => position <= upTo)
    if (records.length === 0) return state
    for (const record of records) step(state, record)
  }
}

async function keepSnapshot(state: EngineState): Promise<void> {
  await sql(
    'INSERT INTO snapshot (position, at, rules_version, format, bytes, segments) VALUES ($1, $2, 1, 1, 0, $3)',
    [state.position, state.at, '[]'],
  )
}

describe.skipIf(noPostgres)('retention', () => {
  it('a trimmed database starts, and goes on from its oldest snapshot with identical rows', async () => {
    await sixtyDays()
    const old = await fold(initialState(), 40)
    const kept: SnapshotSegment[] = takeSnapshot(old)
    await keepSnapshot(old)
    const whole = await fold(initialState())
    const rows = await sql('SELECT * FROM window_row ORDER BY view, window_id, key')

    const done = await trimming({ keep: { ...DEFAULT_KEEP, journal: 10 * DAY } })
    // Days 38 to 50 are past their time, too; the snapshot needs them.
    expect(done.get('journal')).toEqual({ removed: 39, writtenOff: 0 })
    expect(await sql('SELECT min(position), max(position) FROM journal')).toEqual([{ min: '40', max: '62' }])

    const known = { inForce: await readSpecInForce(store), first: await readFirstSpec(store) }
    const journal = await openJournal()
    await beginJournal(journal, () => day(61), { spec: minuteSpec, explicit: true }, known)
    const other = { spec: { ...minuteSpec, allowedLateness: 5 }, explicit: true }
    await expect(beginJournal(journal, () => day(61), other, known)).rejects.toBeInstanceOf(StartupError)
    const more = [
      { kind: 'resumed', at: day(61), pausedAt: day(60) + 90_000 } as const,
      orders(day(61) + 90_000, day(61), day(60) + 70_000),
    ]
    await journal.append(orders(day(61) + 90_000, day(61), day(60) + 70_000))
    more.forEach((entry, i) => {
      step(whole, { ...entry, position: 63 + i })
    })
    const restarted = await fold(restoreSnapshot(kept))
    expect(restarted.position).toBe(64)
    expect(takeSnapshot(restarted)).toEqual(takeSnapshot(whole))
    expect(await sql('SELECT * FROM window_row ORDER BY view, window_id, key')).toEqual(rows)
  })

  it('no journal record goes while there is no snapshot to start from', async () => {
    await sixtyDays()
    expect(await trimming({ keep: { ...DEFAULT_KEEP, journal: 1 } })).toEqual(new Map())
    expect(await count('journal')).toBe(62)
  })

  it('no journal record goes whose results are not committed', async () => {
    await sixtyDays()
    await keepSnapshot(await fold(initialState()))
    await sql('UPDATE pipeline_state SET position = 10')
    await trimming({ keep: { ...DEFAULT_KEEP, journal: 1 } })
    expect(await sql('SELECT min(position) FROM journal')).toEqual([{ min: '10' }])
  })

  it('late events that wait are written off with their journal record, and counted; the others go on waiting', async () => {
    await sixtyDays()
    await keepSnapshot(await fold(initialState(), 40))
    await sql(`INSERT INTO late_event (source, event_id, order_id, type, amount, currency, event_time, dimensions,
        window_start, window_end, late_by, received_at, position, row, status)
      SELECT 'pos', 'e' || p, 'o', 'order', 1, 'EUR', 1, '{}', 0, 60000, 1, j.at, p, 0, s
      FROM (VALUES (5, 'waiting'), (6, 'reconciled'), (39, 'waiting'), (40, 'waiting')) v(p, s)
      JOIN journal j ON j.position = p`)
    const done = await trimming({ keep: { ...DEFAULT_KEEP, journal: 10 * DAY } })
    expect(done.get('journal')).toEqual({ removed: 39, writtenOff: 2 })
    expect(await sql('SELECT event_id, status FROM late_event ORDER BY position')).toEqual([
      { event_id: 'e5', status: 'written_off' },
      { event_id: 'e6', status: 'reconciled' },
      { event_id: 'e39', status: 'written_off' },
      { event_id: 'e40', status: 'waiting' },
    ])
    expect(await sql(`SELECT removed, written_off FROM retention WHERE name = 'journal'`)).toEqual([
      { removed: '39', written_off: '2' },
    ])
  })

  it('rows of closed windows go 400 days after their last change; open and fired ones, and rewritten ones, stay', async () => {
    await committedAt(day(1_000))
    await sql(
      `INSERT INTO window_row (view, version, window_id, start_at, end_at, key, currency, dims, status, gross, refunds,
         orders, buyers, events, revision, left_out, updated_at, pos)
       SELECT view, 1, n, $1::bigint + n * $2::bigint, $1::bigint + n * $2::bigint + 60000, 'k', 'EUR', '[]',
         CASE WHEN n = 3 THEN 'open' WHEN n = 4 THEN 'fired' ELSE 'closed' END, 1, 0, 1, 1, 1, 0, '{}',
         CASE WHEN n = 5 THEN $1::bigint + 900 * $2::bigint ELSE $1::bigint + n * $2::bigint END, n
       FROM generate_series(0, 999) n, unnest(ARRAY['a', 'b', 'c']) view`,
      [T0, DAY],
    )
    const { removed } = (await trimming()).get('window_row') ?? { removed: 0 }
    expect(removed).toBe(3 * (600 - 3))
    expect(await sql('SELECT view, window_id FROM window_row WHERE window_id <= 600 ORDER BY 1, 2')).toEqual(
      ['a', 'b', 'c'].flatMap((view) => ['3', '4', '5', '600'].map((window_id) => ({ view, window_id }))),
    )
  })

  it('revisions, missed windows, quarantine, notices and the command log keep to their own times', async () => {
    await committedAt(day(1_000))
    const series = `FROM generate_series(0, 999) n`
    const at = `$1::bigint + n * $2::bigint`
    await sql(
      `INSERT INTO revision (view, version, window_id, start_at, end_at, key, currency, dims, revision, kind, after_gross,
         after_refunds, after_orders, after_buyers, after_events, delta_net, event_count, event_ids, late_by, at, pos)
       SELECT 'v' || n % 3, 1, n, 0, 1, 'k', 'EUR', '[]', 1, 'on-time', 1, 0, 1, 1, 1, 1, 0, '{}', 0, ${at}, n ${series}`,
      [T0, DAY],
    )
    await sql(`INSERT INTO missed_window SELECT n, 0, 'v', 's', 'e', 1, 1, 0, 1, NULL, ${at} ${series}`, [
      T0,
      DAY,
    ])
    await sql(
      `INSERT INTO quarantine (position, index, source, code, message, raw, cut, received_at, status)
       SELECT n, 0, 's', 'c', 'm', 'r', false, ${at}, CASE WHEN n < 10 THEN 'waiting' ELSE 'resent' END ${series}`,
      [T0, DAY],
    )
    await sql(
      `INSERT INTO notice (position, index, kind, subject, at) SELECT n, 0, 'k', 's', ${at} ${series}`,
      [T0, DAY],
    )
    await sql(
      `INSERT INTO command_log (position, at, kind, command, by, reason, changes)
       SELECT n, ${at}, 'k', '{"kind":"k"}', 'b', 'r', '{}' ${series}`,
      [T0, DAY],
    )
    const done = await trimming()
    expect(Object.fromEntries(done)).toEqual({
      revision: { removed: 910, writtenOff: 0 },
      missed_window: { removed: 910, writtenOff: 0 },
      quarantine: { removed: 910, writtenOff: 10 },
      notice: { removed: 910, writtenOff: 0 },
      command_log: { removed: 600, writtenOff: 0 },
    })
    for (const [table, column] of [
      ['revision', 'at'],
      ['missed_window', 'received_at'],
      ['quarantine', 'received_at'],
      ['notice', 'at'],
    ]) {
      expect(await sql(`SELECT min(${column}) FROM ${table}`)).toEqual([{ min: String(day(910)) }])
    }
    expect(await sql('SELECT min(at) FROM command_log')).toEqual([{ min: String(day(600)) }])
  })

  it('late events that nobody waits for go after 90 days; one that waits stays', async () => {
    await committedAt(day(1_000))
    await sql(
      `INSERT INTO late_event (source, event_id, order_id, type, amount, currency, event_time, dimensions,
         window_start, window_end, late_by, received_at, position, row, status)
       SELECT 'pos', 'e' || n, 'o', 'order', 1, 'EUR', 1, '{}', 0, 1, 1, $1::bigint + n * $2::bigint, n, 0,
         CASE n % 4 WHEN 0 THEN 'waiting' WHEN 1 THEN 'reconciled' WHEN 2 THEN 'written_off' ELSE 'duplicate' END
       FROM generate_series(0, 999) n`,
      [T0, DAY],
    )
    await trimming()
    expect(
      await sql(`SELECT count(*) AS n, min(received_at) FROM late_event WHERE status <> 'waiting'`),
    ).toEqual([{ n: '68', min: String(day(910)) }])
    expect(await sql(`SELECT count(*) AS n FROM late_event WHERE status = 'waiting'`)).toEqual([{ n: '250' }])
  })

  it('age is by journal time: neither a wall clock that is ahead nor a journal that is ahead throws anything away', async () => {
    await committedAt(day(50))
    await sql(`INSERT INTO notice (position, index, kind, subject, at) SELECT 1, 0, 'k', 's', $1`, [day(0)])
    expect(await trimming({ now: () => day(5_000) })).toEqual(new Map())
    await sql('UPDATE pipeline_state SET at = $1', [day(5_000)])
    expect(await trimming({ now: () => day(50) })).toEqual(new Map())
    expect((await trimming({ now: () => day(5_000) })).get('notice')).toEqual({ removed: 1, writtenOff: 0 })
  })

  it('works in bounded statements with pauses in between, and ends when it is told to', async () => {
    await committedAt(day(1_000))
    await sql(
      `INSERT INTO notice (position, index, kind, subject, at) SELECT n, 0, 'k', 's', $1 FROM generate_series(1, 5000) n`,
      [day(0)],
    )
    const pauses: number[] = []
    const left: number[] = []
    await trimming({
      pause: async (ms) => {
        pauses.push(ms)
        left.push(await count('notice'))
      },
      goesOn: () => pauses.length < 3,
    })
    expect(left).toEqual([4_000, 3_000, 2_000])
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50)
  })

  it('the job trims by itself, only where it leads, outlives a database that is away, and stops at once', async () => {
    await committedAt(day(1_000))
    const old = () =>
      sql(`INSERT INTO notice (position, index, kind, subject, at) VALUES (1, 0, 'k', 's', $1)`, [T0])
    await old()
    const deps = {
      store,
      keep: DEFAULT_KEEP,
      now: () => day(2_000),
      logger: silent,
      firstAfter: 0,
      every: 20,
    }
    let leads = false
    let asked = 0
    const stop = startRetention({
      ...deps,
      leads: () => {
        asked++
        return leads
      },
    })
    // Asked again: what came of the first answer is over.
    await expect.poll(() => asked).toBeGreaterThan(2)
    expect(await count('notice')).toBe(1)
    leads = true
    await expect.poll(() => count('notice')).toBe(0)
    await sql('ALTER TABLE pipeline_state RENAME TO away')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await sql('ALTER TABLE away RENAME TO pipeline_state')
    await old()
    await expect.poll(() => count('notice')).toBe(0)
    await stop()

    const slow = startRetention({ ...deps, firstAfter: 3_600_000 })
    const began = performance.now()
    await slow()
    expect(performance.now() - began).toBeLessThan(1_000)
    await old()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await count('notice')).toBe(1)
  })
})
