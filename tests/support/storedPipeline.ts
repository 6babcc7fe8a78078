import type { JournalEntry } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { PostgresJournal } from '@/server/journal/postgres'
import { hydrate } from '@/server/runner/lateStore/hydrate'
import { PostgresHistory } from '@/server/runner/lateStore/postgresHistory'
import { Runner } from '@/server/runner/runner'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush, PositionMoved } from '@/server/store/commitFlush'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { batchOf, type Ev, rejectedOf } from './events'
import { silent } from './pipeline'

export const MINUTE = 60_000
/** 2026-11-30 15:58 in UTC: a day of Shanghai begins two minutes later. */
export const START = Date.UTC(2026, 10, 30, 15, 58)

/** Every kind of window, views that cap their keys and that go by journal time, one test source. */
export const everyViewSpec = PipelineSpec.parse({
  zone: 'Asia/Shanghai',
  allowedLateness: '1m',
  idleTimeout: null,
  sources: [{ name: 'pos-test', test: true }],
  views: [
    { id: 'by_region', window: { kind: 'tumbling', size: '1m' }, groupBy: ['region'], maxKeys: 2 },
    { id: 'by_user', window: { kind: 'tumbling', size: '2m' }, groupBy: ['userId'] },
    { id: 'day', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' }, groupBy: ['region'] },
    { id: 'slide', window: { kind: 'sliding', size: '2m', slide: '1m' } },
    { id: 'visits', window: { kind: 'session', gap: '30s' }, groupBy: ['userId'] },
    { id: 'arrivals', window: { kind: 'tumbling', size: '1m' }, time: 'journal' },
  ],
})

const event = (ts: number, over: Partial<Ev> = {}): Ev => ({
  ts: START + ts,
  source: 'web',
  currency: 'CNY',
  amount: '10.25',
  ...over,
})

/** A story with every outcome: in time, corrected, late, duplicate, conflict, quarantined, test, overflow, refund. */
export function everyOutcome(): JournalEntry[] {
  const at = (ms: number) => START + ms
  const record = (ms: number, ...events: Ev[]): JournalEntry => {
    return { kind: 'events', at: at(ms), batch: batchOf(events, at(ms)), rejected: [] }
  }
  const regions = ['east', 'west', 'south', '__other__']
  const users = ['u-1', 'u-2', 'u-3']
  const many = (from: number, id: string) =>
    regions.flatMap((region, r) =>
      users.map((user, u) =>
        event(from + r * 5_000 + u * 700, { id: `${id}-${r}-${u}`, user, dims: { region, channel: 'app' } }),
      ),
    )
  return [
    { kind: 'spec', at: at(0), spec: everyViewSpec },
    record(20_000, ...many(1_000, 'a'), event(2_000, { id: 'test-1', source: 'pos-test', user: 'u-1' })),
    record(21_000, event(1_000, { id: 'a-0-0', user: 'u-1', dims: { region: 'east', channel: 'app' } })),
    record(22_000, event(1_000, { id: 'a-0-0', user: 'u-1', amount: '99' })),
    {
      ...record(30_000, event(29_000, { id: 'r', refund: true, amount: '3.5', user: 'u-2' })),
      rejected: [rejectedOf('web')],
    } as JournalEntry,
    record(80_000, ...many(75_000, 'b')),
    record(81_000, event(40_000, { id: 'corrects', user: 'u-1', dims: { region: 'east' } })),
    {
      kind: 'command',
      at: at(82_000),
      command: { kind: 'markIdle', source: 'nobody' },
      order: { by: 'ann', reason: '' },
    },
    record(200_000, ...many(195_000, 'c')),
    record(201_000, event(5_000, { id: 'late-1', user: 'u-1', amount: '7' }), event(6_000, { id: 'late-2' })),
    record(202_000, event(5_000, { id: 'late-1', user: 'u-1', amount: '7' })),
    { kind: 'tick', at: at(203_000) },
    { ...record(300_000, event(299_000, { id: 'd', currency: 'EUR', user: 'u-1' })) },
  ]
}

export interface StoredPipeline {
  readonly store: Store
  readonly journal: PostgresJournal
  readonly runner: Runner
  stop(): Promise<void>
}

/** Journal and runner on a real database, in this process. */
export async function openPipeline(url: string): Promise<StoredPipeline> {
  const store = createStore(url)
  const onFatal = (error: Error) => {
    throw error
  }
  const journal = await PostgresJournal.open({
    store,
    logger: silent,
    monotonic: () => performance.now(),
    onFatal,
  })
  const runner = await Runner.start({
    journal,
    journalClock: () => Date.now(),
    commit: (flush) => commitFlush(store, flush),
    hydrate: (state, command, position) => hydrate(state, command, position, new PostgresHistory(store)),
    isFatal: (error) => error instanceof PositionMoved,
    committedPosition: () => pipelinePosition(store),
    now: () => Date.now(),
    logger: silent,
    onFatal,
  })
  const stop = async () => {
    await runner.stop()
    await journal.close()
    await store.close()
  }
  return { store, journal, runner, stop }
}

/** Runs a story through journal and runner; afterwards everything is committed. */
export async function play(url: string, entries: readonly JournalEntry[]): Promise<void> {
  const { journal, stop } = await openPipeline(url)
  // One after the other: records of one INSERT would be folded, and flushed, together.
  for (const entry of entries) await journal.append(entry)
  await stop()
}
