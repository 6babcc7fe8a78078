import { isDeepStrictEqual } from 'node:util'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Journal, JournalClock } from '../journal/port'
import { StartupError } from '../platform/startupError'

/**
 * Makes the journal ready to run on. An empty one gets the spec as its first record. One that has records gets a
 * `resumed` record: while the server was away, timers of active sources did not run (semantics.md §3).
 * Throws StartupError when a spec was asked for that is not the journal's: a setting must not be without effect
 * (field case 46).
 */
export async function beginJournal(
  journal: Journal,
  clock: JournalClock,
  wanted: { readonly spec: PipelineSpec; readonly explicit: boolean },
): Promise<void> {
  const end = await journal.end()
  if (!end) {
    await journal.append({ kind: 'spec', at: clock(), spec: wanted.spec })
    return
  }
  const [first] = await journal.read(0, 1)
  if (first?.kind !== 'spec') throw new Error('the journal does not begin with a spec record')
  if (wanted.explicit && !isDeepStrictEqual(first.spec, wanted.spec)) {
    throw new StartupError(
      'the pipeline definition that was given is not the one this database runs on',
      'Changing the definition of a running pipeline is not possible yet. Start without TIDEMARK_SPEC to go on with the old one, or use an empty database for the new one.',
    )
  }
  await journal.append({ kind: 'resumed', at: clock(), pausedAt: end.at })
}
