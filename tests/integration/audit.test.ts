import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditReport } from '@/server/contracts/audit'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { audit } from '@/server/runner/audit/audit'
import { createStore, type Store } from '@/server/store/client'
import { tidemark } from '@/tests/support/cli'
import { freshDatabase, query, type TestDatabase } from '@/tests/support/database'
import { batchOf } from '@/tests/support/events'
import { everyOutcome, MINUTE, openPipeline, play, START } from '@/tests/support/storedPipeline'
import { storeSnapshot } from '@/tests/support/storedSnapshot'

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

const sql = (text: string) => query(database.url, text)
async function audited(limit = 20): Promise<AuditReport> {
  const report = await audit(store, { limit, onProgress: () => {} })
  if (!report) throw new Error('nothing to audit')
  return report
}
const found = (report: AuditReport) => report.findings.flatMap(({ listed }) => listed)
/** Which looks at which tables found how much. */
const where = (report: AuditReport) =>
  report.findings
    .filter(({ differences }) => differences > 0)
    .map(({ look, table, differences }) => `${look} ${table} ${differences}`)

describe('an audit', () => {
  it('finds no difference in what was never touched, and looks at every table', async () => {
    await play(database.url, everyOutcome())
    const report = await audited()
    expect(found(report)).toEqual([])
    expect(report).toMatchObject({ from: 0, to: 13, records: 13, skipped: [], notAuditable: [] })
    const rows = report.findings.map((f) => [`${f.look} ${f.table}`, f.rows])
    expect(rows).toEqual([
      ['fold pipeline_state', 1],
      ['fold window_row', 36],
      ['fold window_row, open', 10],
      ['fold window_row, times', 46],
      ['fold revision', 39],
      ['fold late_event', 2],
      ['fold missed_window', 0],
      ['fold notice', 1],
      ['fold command_log', 1],
      ['fold spec_version', 1],
      ['fold source_state', 2],
      ['sums window_row', 23],
      ['chain revision', 39],
    ])
    // The story has every outcome, or a clean audit of it would say little.
    const [counts] = await sql('SELECT * FROM pipeline_state')
    for (const name of [
      'in_time',
      'corrected',
      'late',
      'duplicate',
      'quarantined',
      'conflict',
      'test',
      'overflow',
    ])
      expect(Number(counts?.[name]), name).toBeGreaterThan(0)
  })

  it('counts an order once that came again after its window closed, which is late then', async () => {
    const again = {
      ts: START + 1_000,
      id: 'a-0-0',
      source: 'web',
      user: 'u-1',
      currency: 'CNY',
      amount: '10.25',
    }
    const at = START + 301_000
    await play(database.url, [
      ...everyOutcome(),
      { kind: 'events', at, batch: batchOf([again], at), rejected: [] },
    ])
    expect(await sql(`SELECT position::int FROM late_event WHERE event_id = 'a-0-0'`)).toEqual([
      { position: 14 },
    ])
    expect(found(await audited())).toEqual([])
  })

  it('lists an id that was counted twice: it came again after its window closed, with another time', async () => {
    const again = { ts: START + 301_000, id: 'a-0-0', source: 'web', currency: 'CNY', amount: '5' }
    const later = { ...again, id: 'z', ts: START + 600_000 }
    const entries = [again, later].map((e) => ({
      kind: 'events' as const,
      at: e.ts + 1_000,
      batch: batchOf([e], e.ts + 1_000),
      rejected: [],
    }))
    await play(database.url, [...everyOutcome(), ...entries])
    const listed = found(await audited())
    expect(new Set(listed.map((d) => d.look))).toEqual(new Set(['sums']))
    expect(listed.find((d) => d.key.view === 'by_region')?.stored).toMatchObject({ gross: '5.0000' })
  })

  it('of an empty database has nothing to say', async () => {
    expect(await audit(store, { limit: 20, onProgress: () => {} })).toBeNull()
  })

  it('while records are written finds no difference either', async () => {
    const { journal, stop } = await openPipeline(database.url)
    const [spec, ...story] = everyOutcome()
    if (spec) await journal.append(spec)
    for (const [i, entry] of story.entries()) {
      await journal.append(entry)
      await new Promise((resolve) => setTimeout(resolve, i % 2 === 0 ? 300 : 20))
      const report = await audit(store, { limit: 20, onProgress: () => {} })
      if (report) expect(found(report), `after ${i}`).toEqual([])
    }
    await stop()
    expect(await audited()).toMatchObject({ to: 13 })
  })

  it('cuts days of a zone as the engine does, also where clocks are set back over midnight', async () => {
    const zone = 'America/Havana'
    // 2026-11-01 05:00 UTC: 01:00 in Havana becomes 00:00, so that day has two first hours.
    const back = Date.UTC(2026, 10, 1, 5)
    const spec = PipelineSpec.parse({
      zone,
      idleTimeout: null,
      views: [
        { id: 'total', window: { kind: 'tumbling', size: '15m' } },
        { id: 'day', window: { kind: 'calendar', unit: 'day', zone } },
        { id: 'business', window: { kind: 'calendar', unit: 'day', zone, dayStart: '04:00' } },
        { id: 'week', window: { kind: 'calendar', unit: 'week', zone } },
      ],
    })
    const hours = Array.from({ length: 60 }, (_, i) => back + (i - 30) * 60 * MINUTE)
    const records = hours.map((ts) => ({
      kind: 'events' as const,
      at: ts,
      batch: batchOf([{ ts, id: String(ts) }], ts),
      rejected: [],
    }))
    const end = { kind: 'command' as const, at: back + 30 * 1440 * MINUTE, order: { by: 'ann', reason: '' } }
    const force = { ...end, command: { kind: 'forceWatermark' as const, to: back + 20 * 1440 * MINUTE } }
    await play(database.url, [{ kind: 'spec', at: 0, spec }, ...records, force])
    const report = await audited()
    expect(found(report)).toEqual([])
    const days = await sql(`SELECT start_at, end_at FROM window_row WHERE view = 'day' ORDER BY 1`)
    expect(days.map((d) => (Number(d.end_at) - Number(d.start_at)) / (60 * MINUTE))).toEqual([24, 24, 25, 24])
  })
})

/** What somebody changed in psql, and the looks that must find it. */
const TAMPERED: readonly [what: string, change: string, finds: readonly string[]][] = [
  [
    'an amount of a row',
    `UPDATE window_row SET gross = gross + 0.0001 WHERE view = 'by_region' AND start_at = ${START} AND dims = '["east"]'`,
    ['fold window_row 1', 'sums window_row 1', 'chain revision 1'],
  ],
  [
    'the buyers of a row',
    `UPDATE window_row SET buyers = buyers + 1 WHERE view = 'slide' AND start_at = ${START}`,
    ['fold window_row 1', 'chain revision 1'],
  ],
  [
    'a row that is gone',
    `DELETE FROM window_row WHERE view = 'arrivals' AND start_at = ${START}`,
    ['fold window_row 1', 'sums window_row 1'],
  ],
  [
    'a row that nobody sent',
    `INSERT INTO window_row SELECT (jsonb_populate_record(w, '{"key":"[\\"CNY\\",\\"moon\\"]","dims":["moon"]}')).*
     FROM window_row w WHERE view = 'by_region' AND start_at = ${START} AND dims = '["east"]'`,
    ['fold window_row 1', 'sums window_row 1', 'chain revision 1'],
  ],
  [
    'when a row was written',
    `UPDATE window_row SET updated_at = updated_at + 1 WHERE view = 'slide' AND start_at = ${START}`,
    ['fold window_row, times 1'],
  ],
  [
    'a running total',
    `UPDATE window_row SET refunds = 1 WHERE view = 'arrivals' AND status = 'open' AND currency = 'EUR'`,
    ['fold window_row, open 1'],
  ],
  [
    'a sketch',
    `UPDATE window_row SET sketch_buyers = sketch_orders WHERE view = 'arrivals' AND start_at = ${START + MINUTE}`,
    ['fold window_row 1'],
  ],
  [
    'an amount of a revision',
    `UPDATE revision SET after_gross = after_gross + 1, delta_net = delta_net + 1
     WHERE view = 'by_region' AND start_at = ${START} AND dims = '["east"]' AND revision = 1`,
    ['fold revision 1', 'chain revision 1'],
  ],
  [
    'a revision that is gone',
    `DELETE FROM revision WHERE view = 'by_region' AND start_at = ${START} AND dims = '["east"]' AND revision = 1`,
    ['fold revision 1', 'chain revision 1'],
  ],
  [
    'the events named by a revision',
    `UPDATE revision SET event_ids = '{}' WHERE view = 'slide' AND revision = 2`,
    ['fold revision 1'],
  ],
  [
    'a row and its revisions, in step',
    `WITH r AS (UPDATE revision SET after_gross = after_gross + 1, delta_net = delta_net + 1 WHERE view = 'day' AND revision = 1 AND dims = '["west"]')
     UPDATE window_row SET gross = gross + 1 WHERE view = 'day' AND dims = '["west"]' AND status <> 'open'`,
    ['fold window_row 1', 'fold revision 1', 'sums window_row 1'],
  ],
  [
    'a counter of the pipeline',
    'UPDATE pipeline_state SET in_time = in_time - 1, corrected = corrected + 1',
    ['fold pipeline_state 1'],
  ],
  [
    'a counter of a source',
    `UPDATE source_state SET late = late - 1, in_time = in_time + 1 WHERE name = 'web'`,
    ['fold source_state 1'],
  ],
  ['a late order', `UPDATE late_event SET amount = 8 WHERE event_id = 'late-1'`, ['fold late_event 1']],
  [
    'a late order that was counted, they say',
    `UPDATE late_event SET status = 'reconciled' WHERE event_id = 'late-1'`,
    ['sums window_row 4'],
  ],
  ['what an operator did', `UPDATE command_log SET by = 'bob'`, ['fold command_log 1']],
]

describe('an audit of what somebody changed by hand', () => {
  it.each(TAMPERED)('finds %s', async (_, change, finds) => {
    await play(database.url, everyOutcome())
    await sql(change)
    expect(where(await audited())).toEqual(finds)
  })

  it('lists no more than it is asked to, and counts all', async () => {
    await play(database.url, everyOutcome())
    await sql(`UPDATE revision SET late_by = late_by + 1`)
    const findings = (await audited(3)).findings.find((f) => f.table === 'revision' && f.look === 'fold')
    expect(findings).toMatchObject({ differences: 39 })
    expect(findings?.listed).toHaveLength(3)
    expect(Object.keys(findings?.listed[0]?.stored ?? {})).toEqual(['late_by'])
  })

  it('from the command line says what is stored and what it should be, and ends with 1', async () => {
    await play(database.url, everyOutcome())
    const env = { DATABASE_URL: database.url }
    expect(await tidemark(['audit'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('✓ No difference'),
    })
    await sql(
      `UPDATE window_row SET gross = 1 WHERE view = 'arrivals' AND start_at = ${START} AND currency = 'CNY'`,
    )
    const told = await tidemark(['audit', '--limit', '5'], env)
    expect(told.code).toBe(1)
    expect(told.stdout).toMatch(/key \["CNY"\], view arrivals.*: gross is 1\.0000, should be \d+\.\d{4}/)
    expect(told.stdout).toContain('✗ 3 differences')
  })
})

describe('a journal that is not whole', () => {
  it('is named by every position that is damaged, and the audit ends with 2', async () => {
    await play(database.url, everyOutcome())
    await sql(`UPDATE journal SET body = set_byte(body, 40, 7 # get_byte(body, 40)) WHERE position IN (3, 6)`)
    const told = await tidemark(['audit'], { DATABASE_URL: database.url })
    expect(told.code).toBe(2)
    expect(told.stderr).toMatch(/journal position 3 is damaged.*checksum[\s\S]*journal position 6 is damaged/)
  })

  it('is passed over where an operator let the engine do so', async () => {
    await play(database.url, everyOutcome())
    await sql('UPDATE journal SET checksum = 1 WHERE position = 12')
    await sql(`INSERT INTO skipped_record VALUES (12, 'ann', 'disk fault', 'checksum')`)
    const report = await audited()
    expect(found(report)).toEqual([])
    expect(report).toMatchObject({ skipped: [12], records: 12 })
  })

  it('with a gap is no journal', async () => {
    await play(database.url, everyOutcome())
    await sql('DELETE FROM journal WHERE position = 5')
    await expect(audited()).rejects.toThrow('the journal has no position 5; the next one there is 6')
  })

  it('trimmed by retention is folded from the oldest snapshot; what is older is named as not auditable', async () => {
    await play(database.url, everyOutcome())
    await storeSnapshot(store, 9)
    await sql('DELETE FROM journal WHERE position < 8')
    const report = await audited()
    expect(found(report)).toEqual([])
    expect(report).toMatchObject({ from: 9, to: 13, records: 4 })
    expect(report.notAuditable.map((n) => n.table)).toEqual(['window_row', 'revision'])
    await sql(`UPDATE revision SET late_by = late_by + 1 WHERE pos = 13`)
    expect(where(await audited())).toEqual([expect.stringMatching(/^fold revision \d+$/)])
  })

  it('trimmed without a snapshot that can be read cannot be audited', async () => {
    await play(database.url, everyOutcome())
    await sql('DELETE FROM journal WHERE position < 8')
    await expect(audited()).rejects.toThrow('the journal begins at position 8, and no snapshot can be read')
  })
})
