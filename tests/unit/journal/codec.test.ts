import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Command } from '@/server/contracts/command'
import { EventBatchBuilder, type EventFields, eventAt } from '@/server/contracts/eventBatch'
import type { JournalEntry, Mark } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { checksumOf, decodeEntry, encodeEntry, KIND_NUMBERS } from '@/server/journal/codec'

function roundTrip(entry: JournalEntry): JournalEntry {
  const body = encodeEntry(entry)
  return decodeEntry(
    KIND_NUMBERS[entry.kind],
    entry.at,
    body,
    checksumOf(KIND_NUMBERS[entry.kind], entry.at, body),
  )
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

const mark = fc.record<Mark>({
  row: fc.nat(),
  source: text(1),
  mark: fc.integer({ min: 1, max: 8e15 }),
  at: fc.integer({ min: 1, max: 8e15 }),
})

const duration = fc.integer({ min: 1, max: 1e9 })
const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/)
const strategy = fc.oneof(
  fc.record({ kind: fc.constant('bounded'), bound: duration }),
  fc.record({ kind: fc.constantFrom('ascending', 'punctuated') }),
  fc.record({
    kind: fc.constant('adaptive'),
    initial: duration,
    percentile: fc.double({ min: 1, max: 100, noNaN: true }),
  }),
)
const settings = fc.record(
  { strategy, idleTimeout: fc.option(duration), test: fc.boolean(), unit: fc.constantFrom('ms', 's') },
  { requiredKeys: [] },
)
const views = [{ id: 'v', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' } }]
/** As the console gives them: parsed, so with all defaults. */
const command = fc
  .oneof(
    fc.record({
      kind: fc.constant('setStrategy'),
      source: fc.option(name),
      strategy,
      idleTimeout: fc.option(duration),
    }),
    fc.record({ kind: fc.constant('setStrategy'), source: fc.option(name) }),
    fc.tuple(name, settings).map(([name, own]) => ({ kind: 'declareSource', source: { name, ...own } })),
    fc.record({ kind: fc.constantFrom('retireSource', 'markIdle', 'markActive'), source: name }),
    fc.record({ kind: fc.constant('forceWatermark'), to: fc.maxSafeInteger() }),
    strategy.map((strategy) => ({ kind: 'changeSpec', spec: { strategy, views } })),
  )
  .map((input) => Command.parse(input))
const order = fc.record({ by: text(1), reason: text(0) })

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
      { kind: 'paused', at: 6 },
    ]
    for (const entry of entries) expect(roundTrip(entry)).toEqual(entry)
  })

  it('gives back marks at their places, also beside no event at all', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.array(mark, { minLength: 1 }), (events, marks) => {
        const back = roundTrip({ kind: 'events', at: 7, batch: batchOf(events), rejected: [], marks })
        expect(back.kind === 'events' && back.marks).toEqual(marks)
        expect(back.kind === 'events' && back.batch).toEqual(batchOf(events))
      }),
    )
  })

  it('a record without marks has the bytes that it had before there were any, and reads back without', () => {
    const at = 1_764_460_800_000
    const row = (i: number): EventFields => ({
      journalTime: at,
      source: 'pos-1',
      eventId: `e-${i}`,
      orderId: 'o-1',
      userId: null,
      type: 0,
      amountHi: 0,
      amountLo: 1_299_000,
      currency: 'CNY',
      eventTime: at - 1_000 + i,
      dimensions: [['region', 'east']],
    })
    const seven = { index: 2, source: 'pos-1', eventId: null, code: 'wrong_type', field: null } as const
    const rejected = [{ ...seven, message: 'm', raw: '7', cut: false }]
    const entry = { kind: 'events', at, batch: batchOf([row(0), row(1)]), rejected } as const
    for (const marks of [undefined, []]) {
      const body = encodeEntry({ ...entry, marks })
      // Written down from the codec as it was.
      expect([body.length, crc32(body)]).toEqual([364, 1_573_494_201])
      expect(decodeEntry(KIND_NUMBERS.events, at, body, 1_573_494_201)).toEqual({ ...entry, kind: 'events' })
    }
    expect(roundTrip(entry)).not.toHaveProperty('marks')
  })

  it('gives back every command and who gave it', () => {
    fc.assert(
      fc.property(command, order, fc.integer(), (command, order, at) => {
        const entry: JournalEntry = { kind: 'command', at, command, order }
        expect(roundTrip(entry)).toEqual(entry)
      }),
    )
  })

  it('refuses a command that it does not know, rather than fold it as another', () => {
    const body = Buffer.from(JSON.stringify({ command: { kind: 'explode' }, order: { by: 'x', reason: '' } }))
    expect(() =>
      decodeEntry(KIND_NUMBERS.command, 1, body, checksumOf(KIND_NUMBERS.command, 1, body)),
    ).toThrow('kind')
  })

  it('refuses a body in which any single bit was flipped', () => {
    const body = encodeEntry({ kind: 'events', at: 1, batch: batchOf(fc.sample(event, 3)), rejected: [] })
    const checksum = checksumOf(KIND_NUMBERS.events, 1, body)
    for (let bit = 0; bit < body.length * 8; bit += 37) {
      const bad = Uint8Array.from(body)
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => decodeEntry(1, 1, bad, checksum)).toThrow('checksum')
    }
  })

  it('refuses another kind or time than it was written with', () => {
    const body = new Uint8Array(0)
    const checksum = checksumOf(KIND_NUMBERS.tick, 1_000, body)
    expect(decodeEntry(KIND_NUMBERS.tick, 1_000, body, checksum)).toEqual({ kind: 'tick', at: 1_000 })
    expect(() => decodeEntry(KIND_NUMBERS.tick, 1_001, body, checksum)).toThrow('checksum')
    expect(() => decodeEntry(KIND_NUMBERS.end, 1_000, body, checksum)).toThrow('checksum')
  })

  it('refuses a kind that it does not know', () => {
    const body = new Uint8Array(0)
    expect(() => decodeEntry(99, 1, body, checksumOf(99, 1, body))).toThrow('newer Tidemark')
  })
})
