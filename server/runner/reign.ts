import { LeaseLost } from '../contracts/lease'
import type { Keep } from '../contracts/retention'
import { createJournalClock, type MachineClocks } from '../journal/clock'
import type { JournalClock } from '../journal/port'
import { JournalTaken, PostgresJournal } from '../journal/postgres'
import type { Logger } from '../platform/logger'
import { beginResults } from '../store/beginResults'
import type { Store } from '../store/client'
import { commitFlush, PositionMoved } from '../store/commitFlush'
import { fence } from '../store/lease'
import { readFirstSpec } from '../store/readFirstSpec'
import { readSegments, readSnapshots } from '../store/readSnapshots'
import { readSpecBefore } from '../store/readSpecBefore'
import { readSpecInForce } from '../store/readSpecInForce'
import { saveSnapshot } from '../store/saveSnapshot'
import { writeFilled } from '../store/writeFilled'
import { Backfill } from './backfill/backfill'
import { beginJournal, type WantedSpec } from './begin'
import { hydrate } from './lateStore/hydrate'
import { PostgresHistory } from './lateStore/postgresHistory'
import { startLateStore } from './lateStore/startLateStore'
import type { Reign } from './leadership'
import { startRetention } from './retention/retention'
import { Runner } from './runner'
import { SnapshotTaker } from './snapshotTaker'
import { startTicker } from './ticker'

export interface ReignDeps extends MachineClocks {
  readonly store: Store
  /** What an empty database starts with. */
  readonly pipeline: WantedSpec
  readonly logger: Logger
  /** How long what is stored is kept. */
  readonly keep: Keep
  /** Rows that one transaction writes at most; as `commitFlush` has it when left out. */
  readonly mostRows?: number
  /** Nothing can be trusted any more: the process must end. */
  readonly onFatal: (error: Error) => void
}

/** What a leader writes with. */
export interface Leading extends Reign {
  readonly runner: Runner
  readonly journal: PostgresJournal
  readonly clock: JournalClock
}

/**
 * Begins to lead under an epoch: journal, runner (which may still have to catch up), ticks. Everything that it writes begins with that epoch;
 * `lost` hears when it turns out to be another's (design.md §4). Throws StartupError where it cannot begin.
 */
export async function beginReign(
  { store, pipeline, keep, logger, wall, monotonic, mostRows, onFatal }: ReignDeps,
  epoch: number,
  lost: (why: Error) => void,
): Promise<Leading> {
  const onError = (error: Error) => (isLost(error) ? lost(error) : onFatal(error))
  const journal = await PostgresJournal.open({ store, logger, monotonic, epoch, onFatal: onError })
  const end = await journal.end()
  const clock = createJournalClock({ wall, monotonic }, end?.at ?? 0)
  const [inForce, first] = await Promise.all([readSpecInForce(store), readFirstSpec(store)])
  await beginJournal(journal, clock, pipeline, { inForce, first })
  const history = new PostgresHistory(store)
  const backfill: Backfill = new Backfill({
    journal,
    specBefore: (position) => readSpecBefore(store, position),
    hydrate: (state, command, position) => hydrate(state, command, position, history),
    write: (filled) => writeFilled(store, filled, epoch),
    folded: () => runner.position,
    journaled: () => runner.journaled,
    giveSwitch: async (change) => {
      await runner.command({ kind: 'switchSpec', change }, { by: 'tidemark', reason: 'the views are filled' })
    },
    logger,
  })
  const runner: Runner = await Runner.open({
    journal,
    journalClock: clock,
    commit: (flush) => commitFlush(store, flush, { epoch, mostRows }),
    hydrate: (state, command, position) => hydrate(state, command, position, history),
    backfill,
    isFatal: isLost,
    committedPosition: () => beginResults(store, epoch),
    snapshots: {
      list: (upTo) => readSnapshots(store, upTo),
      segments: (snapshot) => readSegments(store, snapshot),
    },
    taker: new SnapshotTaker({
      save: (snapshot) => saveSnapshot(store, snapshot, (tx) => fence(tx, epoch)),
      monotonic,
      logger,
    }),
    now: wall,
    logger,
    onFatal: onError,
  })
  const stopTicks = startTicker({
    journal,
    journalClock: clock,
    timeMatters: () => runner.timeMatters(),
    logger,
  })
  const stopLateStore = startLateStore({ store, history, runner, logger, monotonic })
  const stopRetention = startRetention({ store, keep, now: wall, logger })
  return {
    runner,
    journal,
    clock,
    stop: async () => {
      stopTicks()
      // They may wait for the runner, which ends that.
      const others = Promise.all([stopRetention(), stopLateStore()])
      await journal.close()
      await runner.stop()
      await others
    },
    abandon: async () => {
      stopTicks()
      await Promise.all([stopRetention(), stopLateStore(), journal.abandon(), runner.abandon()])
    },
  }
}

function isLost(error: unknown): boolean {
  return error instanceof LeaseLost || error instanceof PositionMoved || error instanceof JournalTaken
}
