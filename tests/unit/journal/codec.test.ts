import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventBatchBuilder, type EventFields, eventAt } from '@/server/contracts/eventBatch'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { checksumOf, decodeEntry, encodeEntry, KIND_NUMBERS } from '@/server/journal/codec'

function roundTrip(entry: JournalEntry): JournalEntry {
  const body = encodeEntry(entry)
  return decodeEntry(KIND_NUMBERS[entry.kind], entry.at, body, checksumOf(body))
}

const text = (min: number) =>
  fc.string({ unit: 'binary', minLength: min, maxLength: 12 }).filter((s) => s.isWellFormed())
const event = fc.record<EventFields>({
  journalTime: fc.integer({ min: 1, max: 8e15 }),
  source: text(1),
  eventId: text(1),
  orderId: text(1),
  userId: fc.option(text(1)),
  type: fc.constantFrom(0, 1),
  amountHi: fc.integer({ min: 0, max: 99_999_999 }),
  amountLo: fc.integer({ min: 0, max: 99_999_999 }),
  currency: fc.constantFrom('EUR', 'CNY'),
  eventTime: fc.integer({ min: -8e15, max: 8e15 }),
  dimensions: fc.uniqueArray(fc.tuple(fc.constantFrom('region', 'channel', 'd'), text(1)), {
    selector: ([n]) => n,
  }),
})

const batchOf = (events: EventFields[]) => {
  const builder = new EventBatchBuilder()
  for (const e of events) builder.add(e)
  return builder.build()
}

describe('journal codec', () => {
  it('gives back every event of a batch, whatever its strings, times and amounts', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const back = roundTrip({ kind: 'events', at: 7, batch: batchOf(events), rejected: [] })
        if (back.kind !== 'events') throw new Error('kind')
        const dims = (e: EventFields) => ({ ...e, dimensions: Object.fromEntries(e.dimensions) })
        const rows = Array.from({ length: back.batch.count }, (_, i) => dims(eventAt(back.batch, i)))
        expect(rows).toEqual(events.map(dims))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps batches with more strings than two bytes can number', () => {
    const one = { ...fc.sample(event, 1)[0], userId: null, dimensions: [] } as EventFields
    const events = Array.from({ length: 40_000 }, (_, i) => ({ ...one, eventId: `e${i}`, orderId: `o${i}` }))
    const back = roundTrip({ kind: 'events', at: 7, batch: batchOf(events), rejected: [] })
    if (back.kind !== 'events') throw new Error('kind')
    expect(eventAt(back.batch, 39_999)).toEqual(events[39_999])
  })

  it('gives back rejected events and every other kind', () => {
    const rejected = [
      {
        index: 3,
        source: 's',
        eventId: null,
        code: 'too_long',
        field: 'x',
        message: 'm',
        raw: '{"é"',
        cut: true,
      } as const,
    ]
    const spec = PipelineSpec.parse({ views: [{ id: 'v', window: { kind: 'tumbling', size: '1m' } }] })
    const entries: JournalEntry[] = [
      { kind: 'events', at: 1, batch: batchOf([]), rejected },
      { kind: 'tick', at: 2 },
      { kind: 'resumed', at: 3, pausedAt: 2 },
      { kind: 'spec', at: 4, spec },
      { kind: 'end', at: 5 },
    ]
    for (const entry of entries) expect(roundTrip(entry)).toEqual(entry)
  })

  it('refuses a body in which any single bit was flipped', () => {
    const body = encodeEntry({ kind: 'events', at: 1, batch: batchOf(fc.sample(event, 3)), rejected: [] })
    const checksum = checksumOf(body)
    for (let bit = 0; bit < body.length * 8; bit += 37) {
      const bad = Uint8Array.from(body)
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => decodeEntry(1, 1, bad, checksum)).toThrow('damaged')
    }
  })

  it('refuses a kind that it does not know', () => {
    const body = new Uint8Array(0)
    expect(() => decodeEntry(99, 1, body, checksumOf(body))).toThrow('newer Tidemark')
  })
})
