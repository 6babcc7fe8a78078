import pg from 'pg'
import { type Candidate, type Lease, LeaseLost } from '../contracts/lease'
import { splitUrl } from '../platform/schemaEngine/databaseUrl.mjs'
import type { Transaction } from './write/rows'

/** What a lost connection may cost the lease's own statements, ms. */
const PATIENCE = 2_500

const TAKE_FIRST = `
  INSERT INTO engine_lease (id, epoch, holder, url, beat) VALUES (1, 1, $1, $2, 0)
  ON CONFLICT (id) DO NOTHING RETURNING epoch`

/** Changes the unique epoch, so it waits for transactions that hold the row FOR KEY SHARE: none of them can follow it. */
const TAKE_OVER = `
  UPDATE engine_lease SET epoch = epoch + 1, holder = $1, url = $2, beat = 0
  WHERE id = 1 AND epoch = $3::bigint AND beat = $4::bigint RETURNING epoch`

const END_BACKENDS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = $1 AND datname = current_database() AND pid <> pg_backend_pid()`

const FENCE = 'SELECT 1 FROM engine_lease WHERE id = 1 AND epoch = $1::bigint FOR KEY SHARE'

/**
 * The lease's row, on a connection of its own: a pool that waits for a slow statement must not cost the lease. All
 * reject when the database does not answer in 2.5 s.
 */
export interface LeaseTable {
  /** False in a database that no server has migrated yet. */
  exists(): Promise<boolean>
  /** null before the first holder. */
  read(): Promise<Lease | null>
  /** Connections of a holder that still stand. */
  backends(holder: string): Promise<number>
  /** Takes the lease that stood at `from`; ends the connections of its holder. null when somebody was faster, or it beats again. */
  take(me: Candidate, from: Lease | null): Promise<number | null>
  /** Shows that the holder lives. False when the lease is another's. */
  beat(epoch: number): Promise<boolean>
  /** Gives the lease back, so that a successor need not wait. */
  release(epoch: number): Promise<void>
  close(): Promise<void>
}

/** The lease in the database at `url`. */
export function openLease(url: string, holder: string): LeaseTable {
  const pool = new pg.Pool({
    connectionString: splitUrl(url).connectionString,
    application_name: `${holder} lease`,
    max: 1,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    statement_timeout: PATIENCE,
    keepAlive: true,
  })
  pool.on('error', () => {})
  const rows = async (sql: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
    (await pool.query(sql, values)).rows
  return {
    exists: async () => {
      const [row] = await rows("SELECT to_regclass('engine_lease') AS name")
      return row?.name != null
    },
    read: async () => {
      const [row] = await rows('SELECT epoch, holder, url, beat FROM engine_lease WHERE id = 1')
      return row ? toLease(row) : null
    },
    backends: async (of) => {
      const sql =
        'SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = ANY($1) AND datname = current_database()'
      const [row] = await rows(sql, [[of, `${of} lease`]])
      return Number(row?.n ?? 0)
    },
    take: async (me, from) => {
      if (from) await rows(END_BACKENDS, [from.holder])
      const values = [me.holder, me.url]
      const [row] = from
        ? await rows(TAKE_OVER, [...values, from.epoch, from.beat])
        : await rows(TAKE_FIRST, values)
      return row ? Number(row.epoch) : null
    },
    beat: async (epoch) => {
      const sql = 'UPDATE engine_lease SET beat = beat + 1 WHERE id = 1 AND epoch = $1::bigint AND beat >= 0'
      return ((await pool.query(sql, [epoch])).rowCount ?? 0) > 0
    },
    release: async (epoch) => {
      await pool.query('UPDATE engine_lease SET beat = -1 WHERE id = 1 AND epoch = $1::bigint', [epoch])
    },
    close: () => pool.end(),
  }
}

function toLease(row: Record<string, string>): Lease {
  return {
    epoch: Number(row.epoch),
    holder: row.holder ?? '',
    url: row.url ?? '',
    beat: Number(row.beat),
  }
}

/** How every writing transaction begins. Rejects with LeaseLost when `epoch` is no longer the one in force. */
export async function fence(tx: Transaction, epoch: number): Promise<void> {
  const rows = await tx.$queryRawUnsafe<unknown[]>(FENCE, String(epoch))
  if (rows.length === 0) throw new LeaseLost(`the lease of epoch ${epoch} was taken over by another server`)
}
