import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '@/server/store/migrate'
import { emptyDatabase, noPostgres, query, type TestDatabase } from '../support/database'

const BEFORE = '20261201000000_path_of_an_order'
const AFTER = '20261201040000_rules_of_time'

describe.skipIf(noPostgres)('the migration to the rules of time', () => {
  let database: TestDatabase
  let folder: string

  beforeEach(async () => {
    database = await emptyDatabase()
    folder = mkdtempSync(join(tmpdir(), 'tidemark-prisma-'))
    cpSync(join(process.cwd(), 'prisma'), folder, { recursive: true })
    const migrations = join(folder, 'migrations')
    const from = readdirSync(migrations).filter((name) => name >= AFTER && name !== 'migration_lock.toml')
    for (const name of from) rmSync(join(migrations, name), { recursive: true })
    expect(await migrate(database.url, folder)).toEqual({ applied: [BEFORE] })
  })
  afterEach(async () => {
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const migrated = async () => expect((await migrate(database.url)).applied).toContain(AFTER)

  it('keeps every row and revision, told by its start as before', async () => {
    const key = `'by_region', 1, i * 60000, i * 60000 + 60000, '["EUR","east"]', 'EUR', '["east"]'`
    await query(
      database.url,
      `INSERT INTO window_row SELECT ${key}, 'fired', 12.5, 0, 2, 1, 2, 1, '{pos-3}', 9, 9, 8, 7 FROM generate_series(1, 3) i`,
    )
    await query(
      database.url,
      `INSERT INTO revision SELECT ${key}, r, 'on-time', NULL, NULL, NULL, NULL, NULL, 12.5, 0, 2, 1, 2, 12.5, 2, '{e1}', 0, 8, 9, 7
       FROM generate_series(1, 3) i, generate_series(1, 2) r`,
    )
    await migrated()
    const rows = await query(
      database.url,
      'SELECT window_id, start_at, gross::text, left_out, by_inactivity, sketch_orders FROM window_row ORDER BY start_at',
    )
    expect(rows).toEqual(
      ['60000', '120000', '180000'].map((start) => ({
        window_id: start,
        start_at: start,
        gross: '12.5000',
        left_out: ['pos-3'],
        by_inactivity: false,
        sketch_orders: null,
      })),
    )
    const revisions = await query(database.url, 'SELECT FROM revision WHERE window_id = start_at')
    expect(revisions).toHaveLength(6)
  })

  it('keeps sources with their counters, and keys without the right to give commands', async () => {
    await query(
      database.url,
      `INSERT INTO source_state (name, declared, state, received, in_time) VALUES ('pos-1', true, 'active', 3, 3)`,
    )
    await query(database.url, `INSERT INTO api_key (name, prefix, hash) VALUES ('till', 'tm_abc', $1)`, [
      'a'.repeat(64),
    ])
    await migrated()
    expect(await query(database.url, 'SELECT * FROM source_state')).toMatchObject([
      {
        name: 'pos-1',
        received: '3',
        test: '0',
        overflow: '0',
        strategy: 'bounded',
        bound: null,
        is_test: false,
      },
    ])
    expect(await query(database.url, 'SELECT name, operator FROM api_key')).toEqual([
      { name: 'till', operator: false },
    ])
  })

  it('lets two windows of a view begin at once, which one key could not tell apart before', async () => {
    await migrated()
    const insert = (windowId: number, end: number) =>
      query(
        database.url,
        `INSERT INTO window_row (view, version, window_id, start_at, end_at, key, currency, dims, status, gross, refunds, orders,
           buyers, events, revision, left_out, updated_at, pos)
         VALUES ('cumulate', 1, $1, 0, $2, '["EUR"]', 'EUR', '[]', 'open', 0, 0, 0, 0, 0, 0, '{}', 1, 1)`,
        [windowId, end],
      )
    await insert(60_000, 60_000)
    await insert(120_000, 120_000)
    await expect(insert(120_000, 120_000)).rejects.toThrow(/window_row_pkey/)
  })
})
