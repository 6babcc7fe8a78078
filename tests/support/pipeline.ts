import pino from 'pino'
import { EventBatchBuilder, ORDER } from '@/server/contracts/eventBatch'
import type { Flush } from '@/server/contracts/flush'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { fromDecimal } from '@/server/contracts/money'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { MemoryJournal } from '@/server/journal/memory'
import { Runner, type RunnerDeps } from '@/server/runner/runner'

export const silent = pino({ level: 'silent' })

/** Two views over minutes: B 5 s, L 1 min, idleness off. */
export const minuteSpec = PipelineSpec.parse({
  allowedLateness: '1m',
  idleTimeout: null,
  views: [
    { id: 'by_region', window: { kind: 'tumbling', size: '1m' }, groupBy: ['region'] },
    { id: 'total', window: { kind: 'tumbling', size: '1m' } },
  ],
})

/** An events record of orders of 10.00 EUR at these event times (ms), all received at `at`. */
export function orders(at: number, ...times: number[]): JournalEntry {
  const builder = new EventBatchBuilder()
  const { hi, lo } = fromDecimal('10.00')
  times.forEach((eventTime, i) => {
    const id = `${at}-${i}`
    builder.add({
      journalTime: at,
      source: 'pos-1',
      eventId: id,
      orderId: id,
      userId: null,
      type: ORDER,
      amountHi: hi,
      amountLo: lo,
      currency: 'EUR',
      eventTime,
      dimensions: [['region', 'east']],
    })
  })
  return { kind: 'events', at, batch: builder.build(), rejected: [] }
}

/** A runner over a journal in memory, and everything that it committed. */
export async function runnerOver(journal: MemoryJournal, over: Partial<RunnerDeps> = {}) {
  const flushes: Flush[] = []
  const runner = await Runner.start({
    journal,
    journalClock: () => Date.now(),
    commit: async (flush) => {
      flushes.push(flush)
    },
    hydrate: async () => {
      throw new Error('this journal has no past')
    },
    isFatal: () => false,
    committedPosition: async () => flushes.at(-1)?.position ?? 0,
    now: () => Date.now(),
    logger: silent,
    onFatal: (error) => {
      throw error
    },
    ...over,
  })
  return { runner, flushes }
}

export async function journalOf(...entries: JournalEntry[]): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  await journal.append({ kind: 'spec', at: 1, spec: minuteSpec })
  for (const entry of entries) await journal.append(entry)
  return journal
}
