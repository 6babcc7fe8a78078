import { createHash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupHeader,
  type BackupManifest,
  type BackupTable,
  type TableEnd,
} from '../../contracts/backup'
import { withClient } from '../../platform/schemaEngine/databaseUrl.mjs'
import { frame, jsonFrame } from './frames'
import { copyTarget, readMigrations, readSize, readTables } from './tables'

export interface BackupOptions {
  /** ISO 8601, UTC. */
  readonly takenAt: string
  readonly onProgress: (bytes: number, total: number, table: string) => void
}

/** The same text whatever the server's settings are. */
const SESSION = `SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET bytea_output = 'hex';
  SET extra_float_digits = 1; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`
/** COPY gives a chunk a row; small ones are gathered to so many bytes. */
const GATHER = 64 * 1024

/**
 * Hands the whole database to `write` as the frames of a backup: every table as of one moment, while a server may run.
 * `write` is waited for, so memory does not grow. Resolves with what the manifest says.
 */
export function writeBackup(
  url: string,
  options: BackupOptions,
  write: (bytes: Buffer) => Promise<void>,
): Promise<BackupManifest> {
  return withClient(url, async (client) => {
    await client.query(SESSION)
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return new BackupRun(client, options, write).run()
  })
}

class BackupRun {
  readonly #client: pg.Client
  readonly #options: BackupOptions
  readonly #write: (bytes: Buffer) => Promise<void>
  readonly #hash = createHash('sha256')
  #done = 0
  #total = 0

  constructor(client: pg.Client, options: BackupOptions, write: (bytes: Buffer) => Promise<void>) {
    this.#client = client
    this.#options = options
    this.#write = write
  }

  async run(): Promise<BackupManifest> {
    await this.#put(jsonFrame('H', await this.#header()))
    const tables = await readTables(this.#client)
    const sizes = new Map<string, number>()
    for (const { name } of tables) sizes.set(name, await readSize(this.#client, name))
    this.#total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    const ends: BackupManifest['tables'] = []
    let before = 0
    for (const table of tables) {
      ends.push({ name: table.name, ...(await this.#table(table)) })
      before += sizes.get(table.name) ?? 0
      this.#done = before
    }
    const manifest = { tables: ends, sha256: this.#hash.digest('hex') }
    await this.#write(jsonFrame('M', manifest))
    return manifest
  }

  async #header(): Promise<BackupHeader> {
    const { rows } = await this.#client.query<{ version: string }>(
      `SELECT current_setting('server_version') AS version`,
    )
    return {
      format: BACKUP_FORMAT,
      version: BACKUP_VERSION,
      takenAt: this.#options.takenAt,
      postgres: rows[0]?.version ?? '',
      migrations: await readMigrations(this.#client),
    }
  }

  async #table(table: BackupTable): Promise<TableEnd> {
    await this.#put(jsonFrame('T', table))
    const hash = createHash('sha256')
    let bytes = 0
    const copy = this.#client.query(copyTo(`COPY ${copyTarget(this.#client, table)} TO STDOUT`))
    for await (const chunk of gathered(copy)) {
      hash.update(chunk)
      bytes += chunk.length
      await this.#put(frame('D', chunk))
      this.#done += chunk.length
      this.#options.onProgress(Math.min(this.#done, this.#total), this.#total, table.name)
    }
    const end = { rows: copy.rowCount, bytes, sha256: hash.digest('hex') }
    await this.#put(jsonFrame('E', end))
    return end
  }

  async #put(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    await this.#write(bytes)
  }
}

async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size < GATHER) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(parts)
}
