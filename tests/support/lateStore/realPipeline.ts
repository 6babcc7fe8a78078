import type { JournalEntry } from '@/server/contracts/journalRecord'
import { PostgresJournal } from '@/server/journal/postgres'
import { hydrate } from '@/server/runner/lateStore/hydrate'
import { PostgresHistory } from '@/server/runner/lateStore/postgresHistory'
import { Runner, type RunnerDeps } from '@/server/runner/runner'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush } from '@/server/store/commitFlush'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { silent } from '../pipeline'

/** Journal, runner and store on a real database, without the pages; its journal time is what its entries say. */
export class RealPipeline {
  readonly store: Store
  readonly journal: PostgresJournal
  readonly runner: Runner

  private constructor(store: Store, journal: PostgresJournal, runner: Runner) {
    this.store = store
    this.journal = journal
    this.runner = runner
  }

  /** `first` begins an empty journal. */
  static async open(
    url: string,
    first?: JournalEntry,
    over: Partial<RunnerDeps> = {},
  ): Promise<RealPipeline> {
    const store = createStore(url)
    const onFatal = (error: Error) => {
      throw error
    }
    const journal = await PostgresJournal.open({
      ...{ store, logger: silent, onFatal },
      monotonic: () => performance.now(),
    })
    if (first && !(await journal.end())) await journal.append(first)
    const history = new PostgresHistory(store)
    const runner = await Runner.start({
      ...{ journal, logger: silent, onFatal },
      journalClock: () => Date.now(),
      commit: (flush) => commitFlush(store, flush),
      hydrate: (state, command, position) => hydrate(state, command, position, history),
      isFatal: () => false,
      committedPosition: () => pipelinePosition(store),
      now: () => Date.now(),
      ...over,
    })
    return new RealPipeline(store, journal, runner)
  }

  append(entry: JournalEntry): Promise<number> {
    return this.journal.append(entry)
  }

  /** Resolves when the results of everything in the journal are in the database. */
  async settled(): Promise<void> {
    const end = await this.journal.end()
    while ((await pipelinePosition(this.store)) < (end?.position ?? 0)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async close(): Promise<void> {
    await this.runner.stop()
    await this.journal.close()
    await this.store.close()
  }
}
