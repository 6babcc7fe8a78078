import type { Transaction } from '../write/rows'

/** Tables that hold results, each of which the audit fills a temporary twin of. */
const RESULTS = [
  'window_row',
  'revision',
  'late_event',
  'missed_window',
  'notice',
  'command_log',
  'spec_version',
  'source_state',
] as const

const OWN = [
  /* Every accepted event of the journal, decoded. */
  `CREATE TEMP TABLE audit_event (position bigint NOT NULL, row int NOT NULL, source text NOT NULL, event_id text NOT NULL,
    at bigint NOT NULL, event_time bigint NOT NULL, type text NOT NULL, amount numeric NOT NULL, currency text NOT NULL,
    user_id text, dimensions jsonb NOT NULL) ON COMMIT DROP`,
  /* Where the fold stood after each record. */
  `CREATE TEMP TABLE audit_position (position bigint PRIMARY KEY, at bigint NOT NULL, watermark bigint) ON COMMIT DROP`,
  /* Stored rows that are open, and the position that their totals are of. */
  `CREATE TEMP TABLE audit_open ON COMMIT DROP AS
    SELECT view, version, window_id, key, pos FROM window_row WHERE status = 'open'`,
  'CREATE INDEX ON audit_open (pos)',
]

/**
 * Makes the temporary tables of an audit. Those of RESULTS have the names of the tables that they are twins of and hide
 * them in this session, so that the store's own statements fill them; the real ones are reached by `real`.
 */
export async function makeShadows(tx: Transaction): Promise<void> {
  for (const statement of OWN) await tx.$executeRawUnsafe(statement)
  const like = 'INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES'
  for (const table of RESULTS) {
    await tx.$executeRawUnsafe(`CREATE TEMP TABLE ${table} (LIKE ${table} ${like}) ON COMMIT DROP`)
  }
  await tx.$executeRawUnsafe(`CREATE TEMP TABLE open_total (LIKE pg_temp.window_row ${like}) ON COMMIT DROP`)
}

/** Removes them again, for a second audit within the same transaction. */
export async function dropShadows(tx: Transaction): Promise<void> {
  const names = ['open_total', 'audit_event', 'audit_position', 'audit_open', ...RESULTS]
  for (const name of names) await tx.$executeRawUnsafe(`DROP TABLE pg_temp.${name}`)
}

/** The real table behind a temporary one of the same name, as SQL. */
export async function schemaOf(tx: Transaction): Promise<(table: string) => string> {
  const [row] = await tx.$queryRawUnsafe<{ schema: string }[]>(
    'SELECT quote_ident(current_schema()) AS schema',
  )
  return (table) => `${row?.schema ?? 'public'}.${table}`
}

/** Better plans for the comparisons: a temporary table has no statistics until it is looked at. */
export async function analyzeShadows(tx: Transaction): Promise<void> {
  for (const table of ['audit_event', 'audit_position', 'open_total', ...RESULTS]) {
    await tx.$executeRawUnsafe(`ANALYZE pg_temp.${table}`)
  }
}
