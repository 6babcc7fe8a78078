import type { JournalRecord } from '../contracts/journalRecord'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import { sameJson } from '../contracts/sameJson'
import { type Journal, type JournalClock, JournalDamaged } from '../journal/port'
import { StartupError } from '../platform/startupError'

export interface WantedSpec {
  readonly spec: PipelineSpec
  /** Somebody asked for it; it is not only what a new database would start with. */
  readonly explicit: boolean
}

/** The definitions that the database knows; null before the first flush. */
export interface KnownSpecs {
  /** The newest one. */
  readonly inForce: PipelineSpec | null
  /** The first one, for a journal whose own first record is no longer kept. */
  readonly first: PipelineSpec | null
}

/**
 * Makes the journal ready to run on. An empty one gets the spec as its first record. One that has records gets a
 * `resumed` record: while the server was away, timers of active sources did not run (semantics.md §3).
 * Throws StartupError for results without a journal; and when a spec was asked for that is neither what the journal began with nor the newest
 * one: a setting must not be without effect (field case 46), and a start must not undo what a command changed.
 */
export async function beginJournal(
  journal: Journal,
  clock: JournalClock,
  wanted: WantedSpec,
  { inForce, first }: KnownSpecs,
): Promise<void> {
  const end = await journal.end()
  if (!end && inForce) {
    throw new StartupError(
      'the database holds results, but its journal is empty: they do not belong together',
      'Restore both from one backup (`npm run restore`), or use an empty database.',
    )
  }
  if (!end) {
    await journal.append({ kind: 'spec', at: clock(), spec: wanted.spec })
    return
  }
  const began = await beganWith(journal, first)
  if (wanted.explicit && ![began, inForce].some((spec) => spec && sameDefinition(spec, wanted.spec))) {
    throw new StartupError(
      'the pipeline definition that was given is not the one this database runs on',
      'Start without TIDEMARK_SPEC to go on with the one in force, and change that with a changeSpec command (commands.give); or use an empty database for a new one.',
    )
  }
  await journal.append({ kind: 'resumed', at: clock(), pausedAt: end.at })
}

/** What the journal began with: its first record says it, and once that is trimmed, the table of definitions. */
async function beganWith(journal: Journal, known: PipelineSpec | null): Promise<PipelineSpec> {
  const oldest = await oldestOf(journal)
  // Damaged: the engine stands at it and says so, unless a snapshot spares it from reading it.
  if (oldest === 'damaged' && known) return known
  if (oldest === 'damaged') throw new Error('the first record of the journal is damaged')
  if (oldest?.kind === 'spec' && oldest.position === 1) return oldest.spec
  if (oldest && oldest.position > 1 && known) return known
  throw new Error('the journal does not begin with a spec record, and the database knows no definition')
}

async function oldestOf(journal: Journal): Promise<JournalRecord | 'damaged' | undefined> {
  try {
    const [oldest] = await journal.read(0, 1)
    return oldest
  } catch (error) {
    if (error instanceof JournalDamaged) return 'damaged'
    throw error
  }
}

/** The same but for its number, which counts changes, and the tzdata of the machine that read it. */
function sameDefinition(a: PipelineSpec, b: PipelineSpec): boolean {
  return sameJson({ ...a, version: 0, tzdata: null }, { ...b, version: 0, tzdata: null })
}
