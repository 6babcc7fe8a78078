import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import type { EventPlace } from '@/server/contracts/lateStore'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'
import { batchOf, type Ev, Run, type SpecInput } from '@/tests/support/engine'
import { placesOf } from '@/tests/support/lateStore/places'
import { RealPipeline } from '@/tests/support/lateStore/realPipeline'

const M = 60_000
const START = Date.UTC(2026, 2, 29, 15, 30)
const spec: SpecInput = {
  allowedLateness: M,
  views: [
    { id: 'm', window: { kind: 'tumbling', size: M }, groupBy: ['shop'] },
    { id: 'ten', window: { kind: 'tumbling', size: 10 * M }, groupBy: ['userId'], maxKeys: 2 },
    { id: 'day', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' } },
    { id: 'slide', window: { kind: 'sliding', size: 6 * M, slide: 3 * M } },
    { id: 'arrivals', window: { kind: 'tumbling', size: M }, time: 'journal' },
  ],
}

/** Repeatable numbers in [0, 1). */
function numbers(seed: number): () => number {
  let x = seed
  return () => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0
    return x / 2 ** 32
  }
}

type Late = { kind: 'reinject' | 'void' | 'writeOff'; events: EventPlace[] }

/** An engine in memory and a pipeline on Postgres that are told the same. */
class Twins {
  readonly run = new Run(spec, START)
  readonly real: () => RealPipeline
  readonly #next = numbers(7)
  #at = START

  constructor(real: () => RealPipeline) {
    this.real = real
  }

  async events(count: number): Promise<void> {
    const { run } = this
    const batch = batchOf(
      Array.from({ length: count }, () => this.#event()),
      this.#at,
    )
    await this.#both({ kind: 'events', at: this.#at, batch, rejected: [] })
    expect(run.state.at).toBe(this.#at)
  }

  #event(): Ev {
    const n = (below: number) => Math.floor(this.#next() * below)
    this.#at += n(9_000)
    const delay = n(4) === 0 ? n(15 * M) : n(20_000)
    return {
      ...{ ts: this.#at - delay, at: this.#at, id: `e${n(300)}`, order: `o${n(30)}`, user: `u${n(5)}` },
      ...{ dims: { shop: `s${n(3)}` }, amount: `${n(9_999)}.5`, refund: n(6) === 0 },
    }
  }

  async tell(kind: Late['kind'], count: number): Promise<void> {
    const all = placesOf(this.run).filter(({ counted }) => counted === (kind === 'void'))
    const events = Array.from({ length: count }, (): EventPlace => {
      const { counted: _, ...place } = all[Math.floor(this.#next() * all.length)] ?? stranger
      return place
    })
    const command: Late = { kind, events }
    await this.real().append({ kind: 'command', at: this.#at, command, order: { by: 'ann', reason: '' } })
    await this.run.tell(command, this.#at)
  }

  async #both(entry: JournalEntry): Promise<void> {
    await this.real().append(entry)
    this.run.record(entry)
  }

  async end(): Promise<void> {
    this.#at += 20 * M
    await this.#both({ kind: 'end', at: this.#at })
  }
}
const stranger = { source: 'a', eventId: 'nobody', position: 1, row: 0, counted: false }

const revisionsIn = (url: string) =>
  query(
    url,
    `SELECT view, window_id::int8::text, key, revision, kind, before_gross::text, before_orders::int, before_buyers::int,
       after_gross::text, after_refunds::text, after_orders::int, after_buyers::int, after_events::int, delta_net::text,
       event_count, event_ids, pos::int, by FROM revision ORDER BY view, window_id, key, revision`,
  )
const rowsIn = (url: string) =>
  query(
    url,
    `SELECT view, window_id::text, key, status, gross::text, refunds::text, orders::int, buyers::int, events::int, revision,
       encode(sketch_orders, 'hex') AS sketch FROM window_row ORDER BY view, window_id, key`,
  )
const lateIn = (url: string) =>
  query(url, 'SELECT source, event_id, status, seen, settled, position, row FROM late_event ORDER BY 1, 2')
const countsIn = (url: string) => query(url, 'SELECT * FROM pipeline_state')

function expectTwin(run: Run, revisions: Awaited<ReturnType<typeof revisionsIn>>): void {
  const told = run.revisions.map((r) => ({
    name: `${r.view} ${r.windowId} ${JSON.stringify([r.currency, ...r.dims])} ${r.revision}`,
    ...{
      kind: r.kind,
      gross: r.after.gross,
      orders: r.after.orders,
      buyers: r.after.buyers,
      ids: r.eventIds,
      by: r.by,
    },
  }))
  const kept = revisions.map((r) => ({
    name: `${r.view} ${r.window_id} ${r.key} ${r.revision}`,
    ...{
      kind: r.kind,
      gross: r.after_gross,
      orders: r.after_orders,
      buyers: r.after_buyers,
      ids: r.event_ids,
      by: r.by,
    },
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  expect(kept.sort(byName)).toEqual(told.sort(byName))
}

describe.skipIf(noPostgres)('late-store commands on Postgres', () => {
  let database: TestDatabase
  let real: RealPipeline
  let twins: Twins

  beforeAll(async () => {
    database = await freshDatabase()
    const run = new Run(spec, START)
    real = await RealPipeline.open(database.url, { kind: 'spec', at: START, spec: run.spec })
    twins = new Twins(() => real)
  })
  afterAll(async () => {
    await real.close()
    await database.drop()
  })

  it('change rows, revisions and counters as the same engine in memory does', async () => {
    for (let i = 0; i < 6; i++) {
      for (let k = 0; k < 5; k++) await twins.events(12)
      await twins.tell('reinject', 5)
      await twins.tell('void', 4)
      await twins.tell('writeOff', 2)
    }
    await real.settled()
    const kinds = (await revisionsIn(database.url)).filter(({ kind }) => kind === 'reconciled')
    expect(kinds.length).toBeGreaterThan(50)
    expectTwin(twins.run, await revisionsIn(database.url))
    expect(await countsIn(database.url)).toMatchObject([
      { late: String(twins.run.state.counts.late), corrected: String(twins.run.state.counts.corrected) },
    ])
  })

  it('fold again after a restart to the same state, with the tables further on, and go on from there', async () => {
    const before = await Promise.all([revisionsIn(database.url), lateIn(database.url)])
    await real.close()
    real = await RealPipeline.open(database.url)
    expect(await Promise.all([revisionsIn(database.url), lateIn(database.url)])).toEqual(before)
    for (let k = 0; k < 5; k++) await twins.events(12)
    await twins.tell('reinject', 8)
    await twins.tell('void', 8)
    await twins.end()
    await twins.tell('reinject', 8)
    await real.settled()
    expectTwin(twins.run, await revisionsIn(database.url))
    const kept = (await rowsIn(database.url)).map(
      (r) => `${r.view}@${r.window_id} ${r.key} ${r.status} ${r.gross} ${r.orders}`,
    )
    const shown = [...twins.run.rows].map(([name, r]) => `${name} ${r.status} ${r.gross} ${r.orders}`)
    expect(kept.sort()).toEqual(shown.sort())
  })

  it('the same journal in an empty database makes the same rows, revisions and late rows', async () => {
    const other = await freshDatabase()
    const [first, ...rest] = (await real.journal.read(0, 10_000)).filter((r) => r.kind !== 'skipped')
    const again = await RealPipeline.open(other.url, first)
    for (const record of rest) await again.append(record)
    await again.settled()
    await again.close()
    expect(await revisionsIn(other.url)).toEqual(await revisionsIn(database.url))
    expect(await rowsIn(other.url)).toEqual(await rowsIn(database.url))
    expect(await lateIn(other.url)).toEqual(await lateIn(database.url))
    await other.drop()
  })

  it('late rows say what became of them, each id once, however often it came', async () => {
    const rows = await lateIn(database.url)
    const statuses = new Set(rows.map(({ status }) => status))
    expect([...statuses].sort()).toEqual(['reconciled', 'unverified', 'voided', 'written_off'])
    for (const row of rows) {
      const facts = (
        await twins.run.past.ids([{ source: 'a', eventId: String(row.event_id) }], 100_000)
      ).values()
      const { last, came, settled } = facts.next().value ?? { last: null, came: 0, settled: 0 }
      expect(row).toMatchObject({ status: last ?? 'unverified', seen: came, settled })
    }
  })
})
