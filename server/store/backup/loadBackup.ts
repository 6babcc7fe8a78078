import { once } from 'node:events'
import type pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import type { BackupTable, TableEnd } from '../../contracts/backup'
import { withClient } from '../../platform/schemaEngine/databaseUrl.mjs'
import { StartupError } from '../../platform/startupError'
import type { BackupReader } from './readBackup'
import { copyTarget, readTables } from './tables'

/**
 * Loads the tables of a backup into the tables of the database, in one transaction: all of it is there, or nothing.
 * @param read reads the backup into the reader that it is given
 */
export function loadBackup(url: string, read: (reader: BackupReader) => Promise<unknown>): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO'`)
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN')
    const load = new Load(client, await readTables(client))
    await read(load)
    await setSequences(client)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  })
}

class Load implements BackupReader {
  readonly #client: pg.Client
  readonly #there: Map<string, BackupTable>
  #copy: CopyStreamQuery | null = null
  /** Rejects when the table does not take what it is given. */
  #failed: Promise<never> = new Promise(() => {})

  constructor(client: pg.Client, tables: readonly BackupTable[]) {
    this.#client = client
    this.#there = new Map(tables.map((table) => [table.name, table]))
  }

  async table(table: BackupTable): Promise<void> {
    const there = this.#there.get(table.name)
    const missing = table.columns.filter((column) => !there?.columns.includes(column))
    if (!there || missing.length > 0) {
      throw new StartupError(
        `the backup has ${there ? `the columns ${missing.join(', ')} in` : 'the table'} ${table.name}, which its own migrations do not make`,
        'It was changed by hand, or by another program. Restore it with the version that wrote it.',
      )
    }
    this.#copy = this.#client.query(copyFrom(`COPY ${copyTarget(this.#client, table)} FROM STDIN`))
    this.#failed = failureOf(this.#copy, table.name)
  }

  async data(chunk: Buffer): Promise<void> {
    // A stream that has failed never drains.
    if (this.#copy && !this.#copy.write(chunk)) await Promise.race([once(this.#copy, 'drain'), this.#failed])
  }

  async end({ name }: BackupTable, { rows }: TableEnd): Promise<void> {
    const copy = this.#copy
    if (!copy) return
    this.#copy = null
    const finished = once(copy, 'finish')
    copy.end()
    await Promise.race([finished, this.#failed])
    if (copy.rowCount !== rows) throw new Error(`${copy.rowCount} rows of ${name} were loaded, not ${rows}`)
  }
}

function failureOf(copy: CopyStreamQuery, table: string): Promise<never> {
  const failed = new Promise<never>((_, reject) => {
    copy.on('error', (cause: Error) =>
      reject(
        new StartupError(
          `table ${table} does not take the rows of the backup: ${cause.message}`,
          'Nothing was loaded. The rows were changed by hand before the backup was taken, or the disk is full.',
          { cause },
        ),
      ),
    )
  })
  // Looked at when something is waited for; until then it must not end the process.
  failed.catch(() => {})
  return failed
}

/** Columns that count by themselves go on behind what was loaded. */
async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `SELECT s.sequence, c.relname AS table, a.attname AS column
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
       LATERAL (SELECT pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence) s
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND s.sequence IS NOT NULL`,
  )
  for (const { sequence, table, column } of rows) {
    const [name, of] = [column, table].map((id) => client.escapeIdentifier(id))
    await client.query(
      `SELECT setval($1::regclass, max(${name})) FROM ${of} HAVING max(${name}) IS NOT NULL`,
      [sequence],
    )
  }
}
