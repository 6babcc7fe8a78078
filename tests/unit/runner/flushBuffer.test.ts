import { describe, expect, it } from 'vitest'
import { Command } from '@/server/contracts/command'
import type { Flush } from '@/server/contracts/flush'
import type { JournalEntry, JournalRecord } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { Sketch } from '@/server/contracts/sketch'
import { StringTableBuilder } from '@/server/contracts/stringTable'
import type { Revision } from '@/server/contracts/windowRow'
import { hashTable } from '@/server/engine/aggregate/hash128'
import { emptyOutcome } from '@/server/engine/outcome'
import { initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { FlushBuffer, OPEN_TOTALS_EVERY } from '@/server/runner/flushBuffer'
import { minuteSpec, orders } from '@/tests/support/pipeline'

function setUp(spec = minuteSpec) {
  const state = initialState()
  const buffer = new FlushBuffer()
  let position = 0
  const fold = (entry: JournalEntry) => {
    const record: JournalRecord = { ...entry, position: ++position }
    const before = state.pipeline?.spec
    const outcome = step(state, record)
    const now = state.pipeline?.spec
    buffer.add(record, outcome, now && now !== before ? now : null)
  }
  fold({ kind: 'spec', at: 1, spec })
  return { fold, take: (now: number) => buffer.take(state, 0, now), buffer, state }
}

const sessions = PipelineSpec.parse({
  allowedLateness: '1h',
  strategy: { kind: 'ascending' },
  idleTimeout: null,
  views: [{ id: 'visits', window: { kind: 'session', gap: '10s' } }],
})

/** Sketches of the orders of the rows that are published, base64. */
const sketchedIn = (flush: Flush) =>
  flush.rows.filter((row) => row.status === 'fired').map((row) => row.sketches?.orders)

function sketchOf(...ids: string[]): string {
  const strings = new StringTableBuilder()
  for (const id of ids) strings.append(id)
  const hashes = hashTable(strings.build())
  const sketch = new Sketch()
  for (let at = 4; at < hashes.length; at += 4) sketch.add(hashes[at] ?? 0, hashes[at + 1] ?? 0)
  return Buffer.from(sketch.encode()).toString('base64')
}

describe('flush buffer', () => {
  it('shows running totals with every flush and writes them once a second', () => {
    const { fold, take } = setUp()
    fold(orders(1_000, 1_000))
    expect(take(10_000).flush.rows).toHaveLength(2)
    fold(orders(1_100, 1_100))
    const soon = take(10_000 + OPEN_TOTALS_EVERY - 1)
    expect(soon.flush.rows).toHaveLength(0)
    expect(soon.shown).toMatchObject([{ gross: '20.0000' }, { gross: '20.0000' }])
    const later = take(10_000 + OPEN_TOTALS_EVERY)
    expect(later.flush.rows).toMatchObject([{ gross: '20.0000' }, { gross: '20.0000' }])
  })

  it('writes published rows at once, whatever the second', () => {
    const { fold, take } = setUp()
    take(10_000)
    fold(orders(1_000, 1_000))
    fold(orders(70_000, 66_000))
    const { flush } = take(10_001)
    expect(flush.rows.map((r) => r.status)).toEqual(['fired', 'fired'])
    expect(flush.revisions).toHaveLength(2)
  })

  it('an id that comes late several times is one late event with a count', () => {
    const { fold, take } = setUp()
    fold(orders(200_000, 200_000))
    const late = orders(200_001, 1_000)
    fold(late)
    fold(late)
    expect(take(1).flush.late).toMatchObject([
      { eventId: '200001-0', seen: 2, windowStart: 0, amount: '10.0000' },
    ])
  })

  it('a window that fires and closes within one flush is written closed', () => {
    const { fold, take } = setUp()
    fold(orders(1_000, 1_000))
    fold(orders(900_000, 900_000))
    const { flush } = take(1)
    expect(flush.closed).toEqual([
      { view: 'by_region', version: 1, windowId: 0 },
      { view: 'total', version: 1, windowId: 0 },
    ])
    expect(flush.rows.filter((r) => r.start === 0).map((r) => r.status)).toEqual(['closed', 'closed'])
  })

  it('writes published rows with the sketches of their ids, corrections too, and shows them without', () => {
    const { fold, take } = setUp()
    fold(orders(1_000, 1_000, 2_000, 3_000))
    fold(orders(70_000, 66_000))
    const fired = take(1)
    expect(sketchedIn(fired.flush)).toEqual(Array(2).fill(sketchOf('1000-0', '1000-1', '1000-2')))
    fold(orders(71_000, 4_000))
    const corrected = take(2)
    // The same bytes from both views: a merge over any rows knows an id again.
    expect(sketchedIn(corrected.flush)).toEqual(
      Array(2).fill(sketchOf('1000-0', '1000-1', '1000-2', '71000-0')),
    )
    for (const { flush, shown } of [fired, corrected]) {
      expect(shown.map((row) => row.sketches)).toEqual(shown.map(() => null))
      expect(shown).toContainEqual({ ...flush.rows[0], sketches: null })
    }
  })

  it('a command is kept with what came of it, and the definition that it put in force', () => {
    const { fold, take } = setUp()
    const order = { by: 'ann', reason: 'till 2 is off' }
    const give = (input: object): void =>
      fold({ kind: 'command', at: 5, command: Command.parse(input), order })
    give({ kind: 'declareSource', source: { name: 'pos-2' } })
    give({ kind: 'markIdle', source: 'pos-9' })
    const { flush } = take(1)
    expect(flush.commands).toMatchObject([
      { position: 2, at: 5, order, command: { kind: 'declareSource' }, outcome: { refused: null } },
      { position: 3, at: 5, order, outcome: { kind: 'markIdle', refused: expect.stringContaining('pos-9') } },
    ])
    expect(flush.specs).toMatchObject([
      { position: 1, spec: { version: 1, sources: [] } },
      { position: 2, at: 5, spec: { version: 2, sources: [{ name: 'pos-2' }] } },
    ])
    expect(take(2).flush).toMatchObject({ commands: [], specs: [] })
  })

  it('a merged session is written once as superseded, with nothing in it, and its successor beside it', () => {
    const { fold, take } = setUp(sessions)
    fold(orders(1_000, 1_000))
    fold(orders(20_000, 20_000))
    expect(take(10_000).flush.rows.map((row) => [row.windowId, row.status])).toEqual([
      [1, 'fired'],
      [2, 'open'],
    ])
    // It joins the two: 1,000 to 11,000 fired, 20,000 to 30,000 did not.
    fold(orders(20_001, 10_500))
    const { flush, shown } = take(20_000)
    const rows = flush.rows.map((row) => [row.windowId, row.status, row.start, row.end, row.gross])
    expect(rows).toEqual([
      [1, 'superseded', 1_000, 11_000, '0.0000'],
      [2, 'superseded', 20_000, 30_000, '0.0000'],
      [3, 'open', 1_000, 30_000, '30.0000'],
    ])
    expect(shown).toEqual(flush.rows)
    expect(flush.revisions.map((r) => [r.windowId, r.kind])).toEqual([[1, 'superseded']])
  })

  it('takes a million revisions of one record', () => {
    const { buffer, state } = setUp()
    const outcome = { ...emptyOutcome(), revisions: Array.from({ length: 1_000_000 }) as Revision[] }
    buffer.add({ kind: 'tick', at: 2, position: 2 }, outcome, null)
    expect(buffer.take(state, 0, 1).flush.revisions).toHaveLength(1_000_000)
  })
})
