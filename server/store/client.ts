import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { splitUrl } from '../platform/schemaEngine/databaseUrl.mjs'
import { PrismaClient } from './generated/client'

/** Connections to the database, as store and journal know them. */
export interface Store {
  readonly prisma: PrismaClient
  /** Ends all connections; what runs is waited for. */
  close(): Promise<void>
}

export interface StoreOptions {
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string
  readonly connections?: number
  /** Told of connections that broke while idle; the next query opens a new one. */
  readonly onConnectionError?: (error: Error) => void
}

const CONNECT_TIMEOUT = 5_000
const STATEMENT_TIMEOUT = 30_000
const IDLE_IN_TRANSACTION_TIMEOUT = 30_000
const CONNECTIONS = 10

/**
 * synchronous_commit is set here whatever the server's default says: an acknowledged order is a kept one (design.md
 * §1.2). UTC because adapter-pg 7.10 takes a timestamptz for UTC whatever offset it is written with.
 */
const SESSION = `SET synchronous_commit = on; SET timezone = 'UTC'`

/** A store on the database at `url`. Connects at the first query; rejects then where the database cannot be had. */
export function createStore(url: string, options: StoreOptions = {}): Store {
  const { connectionString, schema } = splitUrl(url)
  const report = options.onConnectionError ?? (() => {})
  const pool = new pg.Pool({
    connectionString,
    application_name: options.applicationName ?? 'tidemark',
    max: options.connections ?? CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    onConnect: async (client) => {
      await client.query(SESSION)
    },
  })
  // The adapter listens only while it is connected, and a connection may be ended from the other side after that.
  pool.on('error', report)
  const adapter = new PrismaPg(pool, { schema, onPoolError: report, onConnectionError: report })
  const prisma = new PrismaClient({ adapter })
  return {
    prisma,
    close: async () => {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}
