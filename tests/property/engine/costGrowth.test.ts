import { describe, expect, test } from 'vitest'
import type { StateSize } from '../../../server/contracts/status'
import { stateSize } from '../../../server/engine/size'
import { step } from '../../../server/engine/step'
import { batchOf, type Ev, Run, type SpecInput, tumbling } from '../../support/engine'

const RECORDS = 100
const PER_RECORD = 2_000

/** Event `i` of a steady stream: out of order by up to 300 steps, of keys, users and orders that come and go. */
function eventOf(i: number, every: number): Ev {
  const jitter = (i * 7919) % 300
  const age = Math.floor(i / 3_000)
  return {
    ts: (i - jitter) * every,
    source: i % 3 === 0 ? 'a' : 'b',
    id: `e${i}`,
    order: `o${Math.floor(i / 2)}`,
    user: `u${age}-${i % 400}`,
    refund: i % 11 === 0,
    dims: { k: `k${age}-${i % 20}` },
  }
}

const streams = new Map<number, ReturnType<typeof batchOf>[]>()
/** 200,000 events, one each `every` ms, as batches; made once. */
function streamOf(every: number): ReturnType<typeof batchOf>[] {
  const known = streams.get(every)
  if (known) return known
  const batches = Array.from({ length: RECORDS }, (_, r) => {
    const events = Array.from({ length: PER_RECORD }, (_, i) => eventOf(r * PER_RECORD + i, every))
    return batchOf(events, (r + 1) * PER_RECORD * every)
  })
  streams.set(every, batches)
  return batches
}

const day = { kind: 'calendar', unit: 'day', zone: 'Europe/Berlin' } as const
const sliding = { kind: 'sliding', size: 5_000, slide: 1_000 } as const
const cumulate = { kind: 'cumulate', step: 1_000, within: tumbling(5_000) } as const
const session = { kind: 'session', gap: 30 } as const
const minute = { id: 'm', window: tumbling(1_000), groupBy: ['k'] }
const KINDS: [name: string, views: SpecInput['views'], every?: number][] = [
  ['tumbling', [minute]],
  ['by user', [{ ...minute, groupBy: ['userId'] }]],
  ['keys over the cap', [{ ...minute, maxKeys: 5 }]],
  ['hours beside minutes', [minute, { id: 'h', window: tumbling(5_000), groupBy: ['k'] }]],
  [
    'days',
    [
      { id: 'm', window: tumbling(900_000) },
      { id: 'd', window: day, groupBy: ['k'] },
    ],
    10_000,
  ],
  ['sliding', [{ id: 's', window: sliding, groupBy: ['k'] }]],
  ['sliding beside minutes', [minute, { id: 's', window: { ...sliding, slide: 700 }, groupBy: ['userId'] }]],
  ['sliding over the cap', [{ id: 's', window: sliding, groupBy: ['k'], maxKeys: 5 }]],
  ['cumulate', [{ id: 'c', window: cumulate, groupBy: ['k'] }]],
  ['cumulate beside minutes', [minute, { id: 'c', window: cumulate, groupBy: ['userId'] }]],
  ['sessions', [{ id: 'u', window: session, groupBy: ['k'] }]],
  ['sessions by user beside minutes', [minute, { id: 'u', window: session, groupBy: ['userId'] }]],
  ['by journal time', [minute, { id: 'j', window: tumbling(2_000), time: 'journal', groupBy: ['k'] }]],
  [
    'sliding by journal time',
    [minute, { id: 'js', window: { ...sliding }, time: 'journal', groupBy: ['k'] }],
  ],
]

/** The state's size after each record, and how many windows closed. */
function fold(run: Run, every: number): { sizes: StateSize[]; closed: number } {
  let closed = 0
  const sizes = streamOf(every).map((batch) => {
    const entry = { kind: 'events', at: batch.journalTime[0] ?? 0, batch, rejected: [] } as const
    // Without the bench, which keeps everything that was said.
    const outcome = step(run.state, { ...entry, position: run.state.position + 1 })
    closed += outcome.closed.length
    return stateSize(run.state)
  })
  return { sizes, closed }
}

const peak = (sizes: readonly StateSize[], part: keyof StateSize) =>
  Math.max(...sizes.map((size) => size[part]))

describe('23. state grows without end', () => {
  test.each(KINDS)(
    '%s: 200,000 events of a steady stream keep it as large as the first 60,000 made it',
    (name, views, every = 1) => {
      const run = new Run({
        views,
        strategy: { kind: 'bounded', bound: 250 * every },
        allowedLateness: 1_000 * every,
      })
      const { sizes, closed } = fold(run, every)
      const { counts } = run.state
      expect([counts.received, counts.late]).toEqual([RECORDS * PER_RECORD, 0])
      expect(counts.corrected).toBeGreaterThan(0)
      expect(closed, name).toBeGreaterThan(20)
      for (const part of ['ids', 'distinct', 'rows', 'keys', 'sources', 'total'] as const) {
        expect(peak(sizes.slice(70), part), part).toBeLessThanOrEqual(peak(sizes.slice(10, 30), part) * 1.25)
      }
    },
  )
})
