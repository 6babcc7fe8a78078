import { defaultViews } from '../../../server/contracts/defaultViews'
import { type EventFields, eventAt } from '../../../server/contracts/eventBatch'
import type { JournalEntry, Mark } from '../../../server/contracts/journalRecord'
import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import type { SourceSpec } from '../../../server/contracts/sourceSpec'
import type { IngestKey } from '../../../server/ingest/authorize'
import { checkEvent } from '../../../server/ingest/checkEvent'
import { Flaw } from '../../../server/ingest/flaw'
import type { IngestOptions } from '../../../server/ingest/ingest'
import { createIngest } from '../../../server/ingest/ingest'
import { rulesFor } from '../../../server/ingest/sourceRules'
import { AppError } from '../../../server/platform/errors'

/** 2025-11-30T00:00:00Z, the arrival time of the tests. */
export const ARRIVAL = 1_764_460_800_000

type SourceInput = Partial<SourceSpec>
type SpecInput = Partial<Pick<PipelineSpec, 'maxFutureSkew' | 'maxAge' | 'strategy'>>

export function spec(source: SourceInput = {}, pipeline: SpecInput = {}): PipelineSpec {
  return PipelineSpec.parse({
    views: defaultViews('UTC'),
    sources: [{ name: 'pos-1', ...source }],
    ...pipeline,
  })
}

export function order(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    eventId: 'e-1',
    orderId: 'o-1',
    type: 'order',
    amount: '129.90',
    currency: 'CNY',
    eventTime: ARRIVAL - 1_000,
    userId: 'u-1',
    dimensions: { region: 'east', channel: 'web' },
    ...over,
  }
}

export function check(value: unknown, source: SourceInput = {}, pipeline: SpecInput = {}) {
  return checkEvent(value, rulesFor(spec(source, pipeline), 'pos-1'), ARRIVAL)
}

export function accepted(value: unknown, source?: SourceInput, pipeline?: SpecInput): EventFields {
  const checked = check(value, source, pipeline)
  if (checked instanceof Flaw) throw new Error(`refused: ${checked.message}`)
  return checked
}

export function flaw(value: unknown, source?: SourceInput, pipeline?: SpecInput): Flaw {
  const checked = check(value, source, pipeline)
  if (!(checked instanceof Flaw)) throw new Error('accepted')
  return checked
}

export const KEY: IngestKey = { id: 'k1', name: 'till', sources: [] }
export const KEYS = { verify: async (key: string) => (key === 'right' ? KEY : null) }

/** A journal that only remembers, and can be told to fail. */
export class RecordingJournal {
  readonly entries: JournalEntry[] = []
  failure: Error | null = null

  async append(entry: JournalEntry): Promise<number> {
    if (this.failure) throw this.failure
    this.entries.push(entry)
    return this.entries.length
  }
}

export function ingestWith(over: Partial<IngestOptions> = {}) {
  const journal = new RecordingJournal()
  const pipeline = spec()
  const ingest = createIngest({
    journal,
    journalClock: () => ARRIVAL,
    spec: () => pipeline,
    keys: KEYS,
    ...over,
  })
  return { journal, ingest }
}

/** The events and marks of an entry, in the order in which the engine folds them: ids, and marks as numbers. */
export function inOrder(entry: JournalEntry | undefined): (string | number)[] {
  if (entry?.kind !== 'events') throw new Error('no events')
  const { batch, marks = [] } = entry
  const before = (row: number) => marks.filter((m: Mark) => m.row === row).map((m) => m.mark)
  const rows = Array.from({ length: batch.count }, (_, i) => [...before(i), eventAt(batch, i).eventId])
  return [...rows.flat(), ...before(batch.count)]
}

export async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return error
  throw error
}
