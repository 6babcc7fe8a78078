import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartupError } from '@/server/platform/startupError'
import { migrate, migrationState } from '@/server/store/migrate'
import { checkMigrations } from '@/server/store/migrationCheck'
import { underMigrationLock } from '@/server/store/migrationLock'
import { resolveMigration } from '@/server/store/resolveMigration'
import { emptyDatabase, noPostgres, query, type TestDatabase } from '../support/database'

const ROOT = process.cwd()
let database: TestDatabase
let folder: string

/** The stock command line, as a person would use it. Resolves with its exit code and what it printed. */
async function prisma(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: database.url, NO_COLOR: '1' }
  const run = promisify(execFile)(process.execPath, ['node_modules/prisma/build/index.js', ...args], {
    cwd: ROOT,
    env,
  })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error) => ({ code: error.code, output: error.stdout + error.stderr }),
  )
}

/** Adds a migration to the copy of the prisma folder. */
function addMigration(name: string, sql: string): void {
  mkdirSync(join(folder, 'migrations', name))
  writeFileSync(join(folder, 'migrations', name, 'migration.sql'), sql)
}

beforeEach(async () => {
  database = await emptyDatabase()
  folder = mkdtempSync(join(tmpdir(), 'tidemark-prisma-'))
  cpSync(join(ROOT, 'prisma'), folder, { recursive: true })
})

afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(noPostgres)('migrations at start', () => {
  it('two starters at once apply each migration once', async () => {
    addMigration('29990101000000_slow', 'SELECT pg_sleep(1); CREATE TABLE slow (id int);')
    const results = await Promise.all([migrate(database.url, folder), migrate(database.url, folder)])
    const applied = results.flatMap((result) => result.applied)
    expect(applied).toEqual([...new Set(applied)])
    expect(applied).toContain('29990101000000_slow')
    const rows = await query(database.url, 'SELECT migration_name FROM _prisma_migrations')
    expect(rows).toHaveLength(applied.length)
  })

  it('two starters never work at once, however long the first one takes', async () => {
    const log: string[] = []
    const work = (name: string) => async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      log.push(`${name} ends`)
    }
    await Promise.all(['one', 'two'].map((name) => underMigrationLock(database.url, work(name))))
    const first = log[0]?.split(' ')[0]
    expect(log[1]).toBe(`${first} ends`)
    expect(log).toHaveLength(4)
  })

  it('the stock command line agrees before and after', async () => {
    const before = await prisma('migrate', 'status')
    expect(before).toMatchObject({
      code: 1,
      output: expect.stringContaining('have not yet been applied'),
    })
    await migrate(database.url)
    const after = await prisma('migrate', 'status')
    expect(after).toMatchObject({
      code: 0,
      output: expect.stringContaining('Database schema is up to date'),
    })
  })

  it('the migrations make what schema.prisma says, and a difference is seen', async () => {
    await migrate(database.url)
    const diff = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma']
    expect(await prisma(...diff, '--exit-code')).toMatchObject({ code: 0 })
    await query(database.url, 'ALTER TABLE journal DROP COLUMN checksum')
    expect(await prisma(...diff, '--exit-code')).toMatchObject({ code: 2 })
  })

  it('a database that is newer than this version is refused and left alone', async () => {
    addMigration('29990101000000_of_the_future', 'CREATE TABLE future (id int);')
    await migrate(database.url, folder)
    const refusal = migrate(database.url)
    await expect(refusal).rejects.toThrow(StartupError)
    await expect(refusal).rejects.toThrow(/newer than this version.*29990101000000_of_the_future/)
    expect(await query(database.url, 'SELECT FROM future')).toEqual([])
    expect(await checkMigrations(database.url)).toMatchObject({ ok: false })
  })

  it('a failed migration says how to go on, and that way works', async () => {
    addMigration('29990101000000_stumbles', 'CREATE TABLE half (id int); CREATE TABLE journal (id int);')
    const failure = await migrate(database.url, folder).catch((error) => error)
    expect(failure).toBeInstanceOf(StartupError)
    expect(failure.message).toMatch(/29990101000000_stumbles failed.*relation "journal" already exists/s)
    const again = await migrate(database.url, folder).catch((error) => error)
    expect(again.mend).toContain('npm run migrate -- --rolled-back 29990101000000_stumbles')

    await resolveMigration(database.url, '29990101000000_stumbles', 'rolled-back', folder)
    addMigration('29990101000001_mended', 'SELECT 1;')
    rmSync(join(folder, 'migrations', '29990101000000_stumbles'), { recursive: true })
    expect(await migrate(database.url, folder)).toEqual({ applied: ['29990101000001_mended'] })
  })

  it('what stumbled runs again once its cause is mended: nothing of the first try stands', async () => {
    await migrate(database.url, folder)
    await query(database.url, 'CREATE TABLE in_the_way (id int)')
    addMigration('29990101000000_retried', 'CREATE TABLE half (id int); CREATE TABLE in_the_way (id int);')
    await expect(migrate(database.url, folder)).rejects.toThrow('in_the_way')
    await query(database.url, 'DROP TABLE in_the_way')
    await resolveMigration(database.url, '29990101000000_retried', 'rolled-back', folder)
    expect(await migrate(database.url, folder)).toEqual({ applied: ['29990101000000_retried'] })
  })

  it('a migration that was finished by hand is left out', async () => {
    addMigration('29990101000000_by_hand', 'CREATE TABLE journal (id int);')
    await migrate(database.url, folder).catch(() => {})
    await resolveMigration(database.url, '29990101000000_by_hand', 'applied', folder)
    expect(await migrate(database.url, folder)).toEqual({ applied: [] })
  })

  it('one that did not fail cannot be resolved', async () => {
    await migrate(database.url)
    const error = await resolveMigration(database.url, '29990101000000_none', 'applied').catch((e) => e)
    expect(error).toBeInstanceOf(StartupError)
    expect(error.text).toMatch(/29990101000000_none is not a migration that failed[\s\S]*None has failed/)
  })

  it('an older schema is brought to this version, and its rows stay', async () => {
    const all = join(folder, 'migrations')
    const [first, ...later] = readdirSync(all)
      .filter((name) => /^\d/.test(name))
      .sort()
    for (const name of later) renameSync(join(all, name), join(folder, name))
    expect(await migrate(database.url, folder)).toEqual({ applied: [first] })
    await query(
      database.url,
      `INSERT INTO journal (position, kind, at, event_count, rejected_count, checksum, append_id, body)
       VALUES (1, 2, 3, 0, 0, 0, gen_random_uuid(), '')`,
    )
    for (const name of later) renameSync(join(folder, name), join(all, name))
    expect(await migrate(database.url, folder)).toEqual({ applied: later })
    expect(await query(database.url, 'SELECT position, at FROM journal')).toEqual([
      { position: '1', at: '3' },
    ])
  })

  it('the state names what is missing and what was edited', async () => {
    expect((await migrationState(database.url)).missing).not.toEqual([])
    addMigration('29990101000000_edited', 'SELECT 1;')
    await migrate(database.url, folder)
    writeFileSync(join(folder, 'migrations', '29990101000000_edited', 'migration.sql'), 'SELECT 2;')
    expect(await migrationState(database.url, folder)).toMatchObject({
      missing: [],
      edited: ['29990101000000_edited'],
    })
  })

  it('no connection and no lock is left behind', async () => {
    await migrate(database.url)
    const name = new URL(database.url).pathname.slice(1)
    await expect
      .poll(() =>
        query(
          database.url,
          'SELECT query FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
          [name],
        ),
      )
      .toEqual([])
  })

  it('a database that is not there is named with what to do', async () => {
    const url = database.url.replace(/\/tidemark_test_\w+$/, '/tidemark_nowhere')
    const error = await migrate(url).catch((e) => e)
    expect(error).toBeInstanceOf(StartupError)
    expect(error.text).toMatch(/tidemark_nowhere.*does not exist[\s\S]*create it/)
  })
})
