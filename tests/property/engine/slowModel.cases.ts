import { type SpecInput, tumbling } from '../../support/engine'
import type { Item, Program } from '../../support/program'

/** A small program in which the engine and the slow model once said different things, found by slowModel.test.ts. */
export interface Case {
  readonly showed: string
  readonly spec: SpecInput
  /** Items of each record. */
  readonly records: readonly (readonly Item[])[]
}

type EventItem = Extract<Item, { kind: 'event' }>

let made = 0
const event = (at: number, ts: number, over: Partial<EventItem> = {}): Item => {
  const id = `n${made++}`
  return { kind: 'event', at, ts, source: 'a', id, order: id, amount: '1', currency: 'USD', ...over }
}
const lateness = (at: number, ms: number): Item => {
  return {
    kind: 'change',
    at,
    change: { what: 'allowedLateness', n: 1, ms, strategy: { kind: 'ascending' } },
  }
}
const declare = (at: number, name: string, over: object = {}): Item => {
  return { kind: 'command', at, command: { kind: 'declareSource', source: { name, ...over } } }
}
const base = { strategy: { kind: 'ascending' }, allowedLateness: 0, idleTimeout: null } as const
const hours = { kind: 'cumulate', step: 10, within: tumbling(20) } as const
const m = { id: 'm', window: tumbling(10) }

export const CASES: readonly Case[] = [
  {
    showed: 'a second view of a cumulate base counted what the base had missed',
    spec: {
      ...base,
      views: [
        { id: 'w2', window: hours },
        { id: 'w', window: hours },
      ],
    },
    records: [[event(37, 36)], [event(38, 21)]],
  },
  {
    showed: 'an hour did not close with its last minute when L had been raised in between',
    spec: { ...base, idleTimeout: 3, views: [m, { id: 'h', window: tumbling(30) }] },
    records: [[event(2, 25)], [lateness(4, 87)], [event(71, 73, { source: 'b' })]],
  },
  {
    showed: 'a repeat at -1 ms of what had happened at 0 ms was no conflict',
    spec: { ...base, views: [m] },
    records: [[event(3, -1, { id: 'x', order: 'o' })], [event(12, 0, { id: 'x', order: 'o' })]],
  },
  {
    showed:
      'a correction of an hour that had fired by inactivity was told after the firing that its event caused',
    spec: { ...base, coalesce: 'event', closeByInactivity: 3, views: [m, { id: 'h', window: tumbling(30) }] },
    records: [[event(0, 1)], [event(10, 11)], [event(11, 25)]],
  },
  {
    showed: 'an order of two events in `__other__` counted twice in a cumulate window',
    spec: {
      ...{ ...base, idleTimeout: 9, allowedLateness: 20 },
      views: [
        { id: 'w', window: { ...hours, step: 4, within: tumbling(16, 2) }, groupBy: ['ch'], maxKeys: 1 },
      ],
    },
    records: [
      [event(243, 245, { source: 'c', dims: { ch: 'c0' } })],
      [event(243, 237, { source: 'b', order: 'o', user: 'u2', dims: { ch: 'c1' } })],
      [event(254, 252, { source: 'b', order: 'o', user: 'u2' })],
      [event(261, 240, { order: 'o', user: 'u3' })],
    ],
  },
  {
    showed:
      'after L was lowered a window closed before an earlier one: when are its keys let go? With the earlier one',
    spec: {
      ...{ ...base, allowedLateness: 100 },
      views: [{ id: 'w', window: hours, groupBy: ['userId'], maxKeys: 2 }],
    },
    records: [
      [event(1, 1, { user: 'u1' })],
      [lateness(2, 0)],
      [event(25, 25, { user: 'u2' })],
      [event(60, 60, { user: 'u1' })],
      [event(61, 61, { user: 'u3' })],
    ],
  },
  {
    showed: 'a source was declared beyond maxSources: a definition in force that PipelineSpec refuses',
    spec: { ...base, maxSources: 1, views: [m] },
    records: [
      [event(189, 189)],
      [
        {
          kind: 'change',
          at: 190,
          change: { what: 'addSource', n: 931, ms: 0, strategy: { kind: 'ascending' } },
        },
      ],
      [declare(273, 'a', { pulled: true })],
    ],
  },
  {
    showed: 'a session that took back a published one under a raised L had the L of before',
    spec: { ...base, closeByInactivity: 2, views: [{ id: 's', window: { kind: 'session', gap: 4 } }] },
    records: [
      [event(10, 10)],
      [{ kind: 'tick', at: 20 }],
      [lateness(20, 70)],
      [event(21, 8, { source: 'b' })],
      [{ kind: 'command', at: 30, command: { kind: 'forceWatermark', to: 20 } }],
    ],
  },
  {
    showed: 'W did not follow at once when a test source was declared a real one with another strategy',
    spec: { ...base, views: [m] },
    records: [
      [declare(1, 'b', { test: true })],
      [event(20, 18, { source: 'b' })],
      [declare(30, 'b', { strategy: { kind: 'bounded', bound: 2 } })],
    ],
  },
  {
    showed: 'a test source that was declared a counted one, alone, moved W at once or with the next record',
    spec: { ...base, views: [m] },
    records: [
      [declare(1, 'b', { test: true, pulled: true })],
      [event(20, 18, { source: 'b' })],
      [declare(30, 'b', { pulled: true })],
    ],
  },
]

/** A case as a program, as random ones are. */
export function programOf({ spec, records }: Case): Program {
  const cuts = records.flatMap((record) => record.map((_, i) => i === 0))
  return { spec, items: records.flat(), cuts, start: 0 }
}
