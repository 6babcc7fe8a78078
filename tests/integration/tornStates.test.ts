import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventAt } from '@/server/contracts/eventBatch'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { beginReign, type Leading } from '@/server/runner/reign'
import { keepOf } from '@/server/runner/retention/keepOf'
import { createStore, type Store } from '@/server/store/client'
import { openLease } from '@/server/store/lease'
import { type CutWhen, cutAt } from '@/tests/support/cutStatements'
import { freshDatabase, query, type TestDatabase } from '@/tests/support/database'
import { orders, silent } from '@/tests/support/pipeline'

const MINUTE = 60_000
/** So few rows a transaction that a window's firing takes several. */
const MOST_ROWS = 4

const spec = PipelineSpec.parse({
  allowedLateness: '1m',
  idleTimeout: null,
  views: [
    { id: 'total', window: { kind: 'tumbling', size: '1m' } },
    { id: 'by_user', window: { kind: 'tumbling', size: '1m' }, groupBy: ['userId'] },
  ],
})

/** Fires a window of many rows, corrects it, closes it, and comes too late for it. */
const PROGRAM: readonly JournalEntry[] = [
  orders(10_000, ...Array.from({ length: 8 }, (_, i) => 1_000 * i)),
  orders(70_000, MINUTE + 6_000),
  orders(71_000, 2_000, 3_000),
  orders(200_000, 3 * MINUTE),
  orders(201_000, 4_000),
].map((entry, record) => withUsers(entry, record))

function withUsers(entry: JournalEntry, record: number): JournalEntry {
  if (entry.kind !== 'events') return entry
  // Each event's id is a string of the batch already, so it can be its user as well.
  const { batch } = entry
  return { ...entry, at: entry.at + record, batch: { ...batch, userId: batch.eventId } }
}

/** What the results are, but for the columns that say with which flush a row was written. */
const RESULTS = `
  SELECT 'row' AS what, to_jsonb(w) - 'pos' - 'updated_at' - 'watermark' AS v FROM window_row w
  UNION ALL SELECT 'revision', to_jsonb(r) FROM revision r
  UNION ALL SELECT 'late', to_jsonb(l) - 'status' - 'verified_to' FROM late_event l
  UNION ALL SELECT 'source', to_jsonb(s) FROM source_state s
  UNION ALL SELECT 'state', to_jsonb(p) - 'at' FROM pipeline_state p
  ORDER BY 1, 2`

const RESULT_TABLES =
  'window_row, revision, late_event, late_occurrence, late_change, record_outcome, source_state, pipeline_state, spec_version, notice, command_log, snapshot'

interface Process {
  readonly store: Store
  readonly leading: Leading
  readonly name: string
}

/** A process that dies at any boundary between two statements leaves nothing half, twice or lost (design.md §6). */
describe('torn states', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  let process = 0
  async function begin(): Promise<Process> {
    const name = `torn ${++process}`
    const store = createStore(database.url, { applicationName: name })
    const lease = openLease(database.url, name)
    const epoch = await lease.take({ holder: name, url: 'http://torn' }, await lease.read())
    await lease.close()
    const deps = {
      store,
      pipeline: { spec, explicit: false },
      keep: keepOf({}),
      logger: silent,
      onFatal: () => {},
      wall: () => 1_000_000,
      monotonic: () => performance.now(),
      mostRows: MOST_ROWS,
    }
    const leading = await beginReign(deps, epoch ?? 0, () => {})
    await leading.runner.caughtUp
    return { store, leading, name }
  }

  /** Appends one after the other, until a cut; returns what was acknowledged. */
  async function run({ leading }: Process, entries: readonly JournalEntry[], died?: Promise<void>) {
    const kept: JournalEntry[] = []
    for (const entry of entries) {
      const appended = leading.journal.append(entry).then(
        () => kept.push(entry),
        () => {},
      )
      await Promise.race([appended, ...(died ? [died] : [])])
    }
    return kept
  }

  const end = async ({ leading, store }: Process, how: 'stop' | 'abandon') => {
    await leading[how]()
    await store.close().catch(() => {})
  }

  const results = () => query(database.url, RESULTS)

  /** Cut at statement n, then a new process with what was not acknowledged. Returns whether it came to that. */
  async function torn(n: number, when: CutWhen): Promise<boolean> {
    await query(database.url, `TRUNCATE journal, ${RESULT_TABLES}`)
    const first = await begin()
    const cut = cutAt(first.name, n, when)
    const kept = await run(first, PROGRAM, cut.died)
    // What was acknowledged is flushed now, if the cut does not come in there.
    await end(first, cut.happened ? 'abandon' : 'stop')
    cut.restore()
    const second = await begin()
    const rest = PROGRAM.filter((entry) => !kept.includes(entry))
    await run(second, rest)
    await end(second, 'stop')
    await everyIdOnce()
    const found = await results()
    // The same journal from zero, undisturbed.
    await query(database.url, `TRUNCATE ${RESULT_TABLES}`)
    const again = await begin()
    await end(again, 'stop')
    const wanted = await results()
    expect(withoutResumed(found), `cut ${when} statement ${n}: ${cut.statements.at(-1)}`).toEqual(
      withoutResumed(wanted),
    )
    return cut.happened
  }

  async function everyIdOnce(): Promise<void> {
    const [{ n: events }] = (await query<{ n: string }>(
      database.url,
      // A repeat that comes too late is late once more, and one row of the late store.
      `SELECT in_time + corrected + (SELECT count(*) FROM late_event) AS n FROM pipeline_state`,
    )) as [{ n: string }]
    const ids = new Set(
      PROGRAM.flatMap((entry) =>
        entry.kind === 'events'
          ? Array.from({ length: entry.batch.count }, (_, i) => eventAt(entry.batch, i).eventId)
          : [],
      ),
    )
    expect(Number(events)).toBe(ids.size)
  }

  /** A start of its own writes a `resumed` record, which moves the position on. */
  const withoutResumed = (rows: { what?: unknown; v?: unknown }[]) =>
    rows.map(({ what, v }) =>
      what === 'state' ? { what, v: { ...(v as object), position: null } } : { what, v },
    )

  it.each(['before', 'answerLost'] as const)(
    'cut %s any statement: nothing is lost, nothing twice, and the results are those of the journal',
    async (when) => {
      let n = 1
      while (await torn(n, when)) n++
      expect(n).toBeGreaterThan(20)
    },
    230_000,
  )
})
