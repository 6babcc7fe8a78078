import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differencesOf } from '@/server/contracts/audit'
import { openDatabase } from '@/server/platform/database'
import { audit } from '@/server/runner/audit/audit'
import { loadBackup } from '@/server/store/backup/loadBackup'
import { readBackup } from '@/server/store/backup/readBackup'
import { writeBackup } from '@/server/store/backup/writeBackup'
import { createStore } from '@/server/store/client'
import { migrate } from '@/server/store/migrate'
import { ROOT, tidemark } from '@/tests/support/cli'
import { emptyDatabase, freshDatabase, query, type TestDatabase } from '@/tests/support/database'
import { EmbeddedBench } from '@/tests/support/embedded'
import { fingerprint } from '@/tests/support/fingerprint'
import { holdLease } from '@/tests/support/heldLease'
import { push, settled, startTestServer } from '@/tests/support/server'
import { everyOutcome, openPipeline, play } from '@/tests/support/storedPipeline'
import { storeSnapshot } from '@/tests/support/storedSnapshot'

let folder: string
let file: string
const open: { drop(): Promise<void> }[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-backup-'))
  file = join(folder, 'all of it.gz')
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(database: Promise<TestDatabase>): Promise<string> {
  const one = await database
  open.push(one)
  return one.url
}
const own = (url: string) => ({ DATABASE_URL: url })
const backup = (env: Record<string, string>, to = file) => tidemark(['backup', to], env)
const restore = (env: Record<string, string>, from = file) => tidemark(['restore', from], env)

/** A database with rows in every table that a story and a snapshot fill. */
async function storied(): Promise<string> {
  const url = await opened(freshDatabase())
  await play(url, everyOutcome())
  const store = createStore(url)
  await storeSnapshot(store, 9)
  await store.close()
  await query(url, `INSERT INTO api_key (name, prefix, hash) VALUES ('till', 'tm_abcdefg', repeat('0a', 32))`)
  await query(url, `INSERT INTO engine_lease VALUES (1, 7, 'somebody', 'http://127.0.0.1:1', 9)`)
  return url
}

async function differences(url: string): Promise<number | null> {
  const store = createStore(url)
  const report = await audit(store, { limit: 5, onProgress: () => {} })
  await store.close()
  return report && differencesOf(report)
}

describe('a backup', () => {
  it('restored into an empty database is the same in every row, but for who runs; the pipeline goes on from there', async () => {
    const from = await storied()
    const made = await backup(own(from))
    expect(made, made.stderr).toMatchObject({ code: 0 })
    expect(made.stdout).toContain('hashes of API keys')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const to = await opened(emptyDatabase())
    expect(await restore(own(to))).toMatchObject({ code: 0 })
    const rows = await fingerprint(from)
    const filled = Object.keys(rows).filter((table) => !rows[table]?.startsWith('0 '))
    expect(filled).toEqual(
      expect.arrayContaining([
        ...['api_key', 'command_log', 'journal', 'late_event', 'notice', 'pipeline_state', 'quarantine'],
        ...['revision', 'snapshot', 'snapshot_segment', 'source_state', 'spec_version', 'window_row'],
      ]),
    )
    expect(await fingerprint(to)).toEqual(rows)
    expect(await query(to, 'SELECT FROM engine_lease')).toEqual([])
    expect(await differences(to)).toBe(0)
    const { journal, stop } = await openPipeline(to)
    await journal.append({ kind: 'tick', at: Date.now() })
    await stop()
    expect(await query(to, 'SELECT position::int FROM pipeline_state')).toEqual([{ position: 14 }])
  })

  it('taken while records are written is of one moment', async () => {
    const from = await opened(freshDatabase())
    const story = everyOutcome()
    await play(from, story.slice(0, 6))
    const parts: Buffer[] = []
    // Between two tables the rest of the story is written, and committed.
    const write = async (bytes: Buffer) => {
      parts.push(bytes)
      if (bytes[0] === 0x54 && bytes.includes('"name":"pipeline_state"')) await play(from, story.slice(6))
    }
    await writeBackup(from, { takenAt: '', onProgress: () => {} }, write)
    writeFileSync(file, gzipSync(Buffer.concat(parts)))
    const to = await opened(emptyDatabase())
    expect(await restore(own(to))).toMatchObject({ code: 0 })
    const position = 'SELECT position::int FROM pipeline_state'
    expect(await query(from, position)).toEqual([{ position: 13 }])
    expect(await query(to, position)).toEqual([{ position: 6 }])
    expect(await differences(to)).toBe(0)
  })

  it('goes from the embedded Postgres to one of your own, and back', async () => {
    const bench = new EmbeddedBench()
    open.push({ drop: () => bench.clear() })
    const embedded = { DATABASE_URL: '', TIDEMARK_DATA_DIR: bench.root }
    const from = await storied()
    const rows = await fingerprint(from)
    expect(await backup(own(from))).toMatchObject({ code: 0 })
    const into = await restore(embedded)
    expect(into, into.stderr).toMatchObject({ code: 0 })
    const database = await openDatabase({ TIDEMARK_DATA_DIR: bench.root })
    const there = await fingerprint(database.url)
    await database.close()
    expect(there).toEqual(rows)
    const again = join(folder, 'again.gz')
    expect(await backup(embedded, again)).toMatchObject({ code: 0 })
    const to = await opened(emptyDatabase())
    expect(await restore(own(to), again)).toMatchObject({ code: 0 })
    expect(await fingerprint(to)).toEqual(rows)
  })

  it('of columns that count by themselves goes on counting behind what was loaded', async () => {
    const [from, to] = [await opened(freshDatabase()), await opened(freshDatabase())]
    for (const url of [from, to])
      await query(url, 'CREATE TABLE counted (id bigserial PRIMARY KEY, "a b" text)')
    await query(from, `INSERT INTO counted ("a b") VALUES ('tab\there'), (NULL), ('\\.')`)
    const parts: Buffer[] = []
    await writeBackup(from, { takenAt: '', onProgress: () => {} }, async (bytes) => void parts.push(bytes))
    await loadBackup(to, (reader) => readBackup(Readable.from(parts), reader))
    await query(to, `INSERT INTO counted ("a b") VALUES ('next')`)
    const rows = await query(to, 'SELECT id::int, "a b" AS text FROM counted ORDER BY 1')
    expect(rows.map((row) => [row.id, row.text])).toEqual([
      [1, 'tab\there'],
      [2, null],
      [3, '\\.'],
      [4, 'next'],
    ])
  })

  it('of an older schema is restored as it was, and then brought to this version', async () => {
    const old = join(folder, 'prisma')
    mkdirSync(join(old, 'migrations'), { recursive: true })
    for (const part of [
      'schema.prisma',
      'migrations/migration_lock.toml',
      'migrations/20261201000000_path_of_an_order',
    ])
      cpSync(join(ROOT, 'prisma', part), join(old, part), { recursive: true })
    const from = await opened(emptyDatabase())
    await migrate(from, old)
    await query(
      from,
      `INSERT INTO window_row (view, version, start_at, end_at, key, currency, dims, status, gross, refunds, orders, buyers,
        events, revision, left_out, updated_at, pos)
       VALUES ('v', 1, 60000, 120000, '["EUR"]', 'EUR', '[]', 'open', 1, 0, 1, 0, 1, 0, '{}', 1, 1)`,
    )
    expect(await backup(own(from))).toMatchObject({ code: 0 })
    const to = await opened(emptyDatabase())
    expect(await restore(own(to))).toMatchObject({ code: 0 })
    // What a later migration makes of rows that were there before it.
    expect(await query(to, 'SELECT window_id::int FROM window_row')).toEqual([{ window_id: 60_000 }])
  })
})

describe('what is refused', () => {
  it('a database that is not empty, and nothing of it is changed', async () => {
    const from = await storied()
    await backup(own(from))
    const before = await fingerprint(from)
    const told = await restore(own(from))
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not empty: there are rows in .*journal/),
    })
    expect(await fingerprint(from)).toEqual(before)
  })

  it('but tables without a row, as a restore leaves them that was cut off, are taken', async () => {
    const from = await storied()
    await backup(own(from))
    const to = await opened(freshDatabase())
    expect(await restore(own(to))).toMatchObject({ code: 0 })
    expect(await fingerprint(to)).toEqual(await fingerprint(from))
  })

  it('a file of a schema that this version does not know', async () => {
    const from = await storied()
    await query(
      from,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at)
       VALUES ('x', 'x', '29990101000000_of_the_future', now(), now())`,
    )
    await backup(own(from))
    const to = await opened(emptyDatabase())
    const told = await restore(own(to))
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/newer than this version.*of_the_future/),
    })
    expect(await query(to, `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  it.each([
    [
      'a byte that is another',
      (whole: Buffer) => flipped(gunzipSync(whole)),
      /table journal is not what was written/,
    ],
    [
      'an end that is missing',
      (whole: Buffer) => whole.subarray(0, whole.length - 200),
      /cannot be unpacked|ends in the middle/,
    ],
    [
      'a manifest that is missing',
      (whole: Buffer) => gzipSync(withoutManifest(gunzipSync(whole))),
      /its end is missing/,
    ],
    ['another file altogether', () => gzipSync('{"hello": true}'), /holds what no backup holds/],
    ['a file that is not packed', () => Buffer.from('hello'), /cannot be unpacked/],
  ])('a file with %s, before anything is touched', async (_, damage, says) => {
    const from = await storied()
    await backup(own(from))
    writeFileSync(file, damage(readFileSync(file)))
    const to = await opened(emptyDatabase())
    const told = await restore(own(to))
    expect(told).toMatchObject({ code: 1, stderr: expect.stringMatching(says) })
    expect(await query(to, `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  it('rows that the tables do not take: none is loaded', async () => {
    const from = await storied()
    await query(from, 'ALTER TABLE revision DROP CONSTRAINT revision_events_check')
    await query(from, 'UPDATE revision SET event_count = -1 WHERE pos = 13')
    await backup(own(from))
    const to = await opened(emptyDatabase())
    const told = await restore(own(to))
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/✗ table revision does not take .*revision_events_check/),
    })
    expect(await query(to, 'SELECT FROM journal')).toEqual([])
  })

  it('a folder that is not there', async () => {
    const from = await storied()
    const told = await backup(own(from), join(folder, 'nowhere', 'all.gz'))
    expect(told).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot be written: ENOENT/) })
  })

  it('a file that is there already, and a database that a server runs on', async () => {
    const from = await storied()
    writeFileSync(file, 'mine')
    expect(await backup(own(from))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    rmSync(file)
    await backup(own(from))
    const to = await opened(emptyDatabase())
    await migrate(to)
    const release = await holdLease(to)
    const told = await restore(own(to))
    await release()
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining('a restore must have it alone') })
  })
})

/** In the middle of the journal's rows: a digit of a body becomes another. */
function flipped(bytes: Buffer): Buffer {
  const at = bytes.indexOf('"name":"journal"') + 2_000
  const digit = bytes[at] ?? 0
  bytes[at] = digit === 0x30 ? 0x31 : 0x30
  return gzipSync(bytes)
}

function withoutManifest(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf('{"tables":') - 5)
}

describe('a server on a restored database', () => {
  it('that was restored to an older point, into another kind of Postgres, and sent everything again has the truth', async () => {
    const now = Math.floor(Date.now() / 60_000) * 60_000
    const orders = Array.from({ length: 40 }, (_, i) => ({
      eventId: `e-${i}`,
      orderId: `o-${i}`,
      userId: `u-${i % 7}`,
      amount: `${i}.25`,
      currency: 'EUR',
      eventTime: now - 5 * 60_000 + i * 6_000,
    }))
    const url = await opened(freshDatabase())
    const spec = { idleTimeout: null, strategy: { kind: 'bounded', bound: '1h' }, allowedLateness: '1h' }
    const server = await startTestServer({ database: { url }, spec })
    expect((await push(server, 'web', orders.slice(0, 15))).status).toBe(200)
    await settled(server)
    expect(await backup(own(url))).toMatchObject({ code: 0 })
    expect((await push(server, 'web', orders.slice(15))).status).toBe(200)
    await settled(server)
    await server.stop()
    const rows = (of: string) =>
      query(
        of,
        `SELECT view, start_at, key, status, gross, refunds, orders, buyers, events FROM window_row
         WHERE view <> 'arrivals_1m' ORDER BY 1, 2, 3`,
      )
    const truth = await rows(url)

    const bench = new EmbeddedBench()
    open.push({ drop: () => bench.clear() })
    const into = await restore({ DATABASE_URL: '', TIDEMARK_DATA_DIR: bench.root })
    expect(into, into.stderr).toMatchObject({ code: 0 })
    const restored = await startTestServer({ database: { dataDir: bench.root } })
    const to = restored.databaseUrl
    expect(await rows(to)).not.toEqual(truth)
    // The producers' keys hold, and they send again whatever they are not sure of.
    const again = await push({ ...restored, key: server.key }, 'web', orders)
    expect(again).toMatchObject({ status: 200, body: { accepted: 40 } })
    await settled(restored)
    expect(await rows(to)).toEqual(truth)
    expect(await query(to, 'SELECT duplicate::int, in_time::int FROM pipeline_state')).toEqual([
      { duplicate: 15, in_time: 40 },
    ])
    expect(await differences(to)).toBe(0)
    await restored.stop()
  })
})
