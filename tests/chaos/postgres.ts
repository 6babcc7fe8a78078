import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../support/server'

const DEBIAN = '/usr/lib/postgresql'
/** Bytes of the small disk. */
const DISK = 640 * 1024 * 1024

/** Folder of the newest Postgres of this machine; null when it has none. */
export function postgresBinaries(): string | null {
  if (!existsSync(DEBIAN)) return null
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
  return versions.map((v) => join(DEBIAN, v, 'bin')).find((bin) => existsSync(join(bin, 'postgres'))) ?? null
}

/** A Postgres of the test's own, which it may end in any way; on a small disk of its own where it may mount one. */
export class ChaosPostgres {
  readonly #bin: string
  readonly #data: string
  readonly #owner: { uid: number; gid: number } | null
  readonly port: number
  /** Whether the data lie on a disk that can be filled. */
  readonly onSmallDisk: boolean
  readonly #disk: string
  #process: ChildProcess | null = null

  private constructor(folder: string, bin: string, port: number) {
    this.#bin = bin
    this.#disk = join(folder, 'disk')
    this.#data = join(this.#disk, 'data')
    this.port = port
    this.#owner = process.getuid?.() === 0 ? ownerNamed('postgres') : null
    mkdirSync(this.#disk)
    this.onSmallDisk =
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', this.#disk]).status === 0
    mkdirSync(this.#data)
    chmodSync(this.#data, 0o700)
    if (this.#owner) chownSync(this.#data, this.#owner.uid, this.#owner.gid)
  }

  static async create(folder: string, bin: string): Promise<ChaosPostgres> {
    const postgres = new ChaosPostgres(folder, bin, await freePort())
    const args = ['-D', postgres.#data, '-U', 'tidemark', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
    execFileSync(join(bin, 'initdb'), args, { ...postgres.#owner, stdio: 'ignore', cwd: '/' })
    await postgres.start()
    const client = new pg.Client({ connectionString: postgres.urlOf('postgres') })
    await client.connect()
    await client.query('CREATE DATABASE chaos')
    await client.end()
    return postgres
  }

  urlOf(database: string): string {
    return `postgresql://tidemark@127.0.0.1:${this.port}/${database}`
  }

  /** Starts it where it is down, and waits until it answers. */
  async start(): Promise<void> {
    const until = performance.now() + 60_000
    while (!(await this.#answers())) {
      if (performance.now() > until) throw new Error('Postgres does not come back')
      if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) {
        const settings = [
          'listen_addresses=127.0.0.1',
          'unix_socket_directories=',
          'max_wal_size=96MB',
          'log_min_messages=panic',
        ]
        const args = ['-D', this.#data, '-p', String(this.port), ...settings.flatMap((s) => ['-c', s])]
        this.#process = spawn(join(this.#bin, 'postgres'), args, {
          ...this.#owner,
          stdio: 'ignore',
          cwd: '/',
        })
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** SIGINT is a fast stop, SIGQUIT an immediate one. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** Writes the small disk full, to the last byte. */
  fillDisk(): void {
    const { bavail, bsize } = statfsSync(this.#disk)
    for (let size = bavail * bsize; size >= bsize; size = Math.floor(size / 2)) {
      try {
        writeFileSync(this.#ballast(size), Buffer.alloc(size))
      } catch {
        // As much as there was room for.
      }
    }
  }

  freeDisk(): void {
    for (const name of readdirSync(this.#disk)) if (name.startsWith('ballast')) rmSync(join(this.#disk, name))
  }

  #ballast(size: number): string {
    return join(this.#disk, `ballast-${size}`)
  }

  async remove(): Promise<void> {
    await this.end('SIGQUIT')
    if (this.onSmallDisk) spawnSync('umount', [this.#disk])
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.urlOf('postgres'), connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('SELECT 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function ownerNamed(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
