import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyOf, ViewReplica } from '@/app/lib/viewReplica'
import type { Delta, Snapshot, Subscribe } from '@/server/contracts/liveMessage'
import type { WindowRow } from '@/server/contracts/windowRow'
import { at, row } from '../builders'

const VIEW = 'gmv_total_1m'
const FROM = at(14, 0)
const snapshot = (pos: number, windows: WindowRow[], partial = false): Snapshot => ({
  view: VIEW,
  pos,
  partial,
  windows,
  watermark: null,
})
const delta = (prev: number, pos: number, windows: WindowRow[]): Delta => ({
  view: VIEW,
  prev,
  pos,
  windows,
  watermark: null,
})
const net = (value: string, pos: number, over: Partial<WindowRow> = {}) => row({ net: value, pos, ...over })

function setup() {
  const asked: Subscribe[] = []
  const replica = new ViewReplica(VIEW, FROM, (message) => asked.push(message))
  return { replica, asked, nets: () => replica.rows().map((r) => r.net) }
}

/** A replica that has its first snapshot, at position 10. */
function following(rows: WindowRow[] = [net('1', 10)]) {
  const s = setup()
  s.replica.connected()
  s.replica.snapshot(snapshot(10, rows))
  s.asked.length = 0
  return s
}

describe('the copy of a view', () => {
  it('asks for everything the first time and for what changed since on every later connect', () => {
    const { replica, asked } = setup()
    replica.connected()
    expect(asked).toEqual([{ view: VIEW, filter: {}, from: FROM }])
    replica.snapshot(snapshot(10, []))
    replica.disconnected()
    replica.connected()
    expect(asked[1]).toEqual({ view: VIEW, filter: {}, from: FROM, since: 10 })
  })

  it('a delta that overtakes the snapshot is not lost', () => {
    const { replica, nets } = setup()
    replica.connected()
    replica.delta(delta(10, 12, [net('2', 12)]))
    expect(nets()).toEqual([])
    replica.snapshot(snapshot(10, [net('1', 10)]))
    expect(nets()).toEqual(['2'])
    expect(replica.pos).toBe(12)
  })

  it('an overtaking delta that the snapshot already holds does not put an older value back', () => {
    const { replica, nets } = setup()
    replica.connected()
    replica.delta(delta(5, 8, [net('0', 8)]))
    replica.snapshot(snapshot(10, [net('1', 10)]))
    expect(nets()).toEqual(['1'])
  })

  it('a gap is asked for, and the delta after it is not applied on its own', () => {
    const { replica, asked, nets } = following()
    replica.delta(delta(11, 12, [net('3', 12)]))
    expect(asked).toEqual([{ view: VIEW, filter: {}, from: FROM, since: 10 }])
    expect(nets()).toEqual(['1'])
    replica.snapshot(snapshot(12, [net('3', 12)], true))
    expect(nets()).toEqual(['3'])
    expect(replica.state).toBe('following')
  })

  it('a partial snapshot keeps the rows that did not change; a full one replaces all', () => {
    const other = net('7', 9, { start: at(14, 21), end: at(14, 22) })
    const { replica, nets } = following([net('1', 10), other])
    replica.snapshot(snapshot(12, [net('2', 12)], true))
    expect(nets().sort()).toEqual(['2', '7'])
    replica.snapshot(snapshot(13, [net('4', 13)]))
    expect(nets()).toEqual(['4'])
  })

  it('a partial snapshot older than what is held is refused, and everything is asked for', () => {
    const { replica, asked } = following()
    replica.snapshot(snapshot(3, [], true))
    expect(asked).toEqual([{ view: VIEW, filter: {}, from: FROM }])
  })

  it('a server that starts anew is believed: its full snapshot may be at a lower position', () => {
    const { replica, nets } = following()
    replica.snapshot(snapshot(2, [net('0.5', 2)]))
    expect(nets()).toEqual(['0.5'])
    expect(replica.pos).toBe(2)
  })

  it('applying twice changes nothing, and going down is normal', () => {
    const { replica, nets } = following()
    for (const _ of [1, 2]) replica.delta(delta(10, 12, [net('0.2', 12)]))
    expect(nets()).toEqual(['0.2'])
  })

  it('a delta that comes again later does not move the position back', () => {
    const { replica, asked } = following()
    replica.delta(delta(5, 8, []))
    replica.delta(delta(10, 12, [net('2', 12)]))
    expect(asked).toEqual([])
    expect(replica.pos).toBe(12)
  })

  it('rows are told apart by view, version, start, currency and dimensions', () => {
    const variants = [
      {},
      { version: 2 },
      { start: at(14, 21) },
      { currency: 'USD' },
      { dims: ['east'] },
      { dims: [null] },
    ]
    expect(new Set(variants.map((over) => keyOf(row(over)))).size).toBe(variants.length)
  })

  it('a session that grows stays one row, and one that was swallowed goes', () => {
    const { replica, nets } = following([])
    replica.offer([net('1', 11, { windowId: 7 }), net('2', 11, { windowId: 8 })])
    replica.offer([net('3', 12, { windowId: 7, start: at(14, 19), end: at(14, 30) })])
    expect(nets()).toEqual(['3', '2'])
    replica.offer([net('0', 13, { windowId: 8, status: 'superseded' })])
    expect(nets()).toEqual(['3'])
  })

  it('messages of another view do nothing', () => {
    const { replica, nets } = following()
    replica.delta({ ...delta(10, 12, [net('9', 12)]), view: 'gmv_1h' })
    replica.snapshot({ ...snapshot(12, []), view: 'gmv_1h' })
    expect(nets()).toEqual(['1'])
  })

  it('memory is bounded by the range: what ends before it goes and does not come back', () => {
    const { replica } = following([net('1', 10), net('2', 10, { start: at(14, 30), end: at(14, 31) })])
    replica.startAt(at(14, 25))
    expect(replica.rows().map((r) => r.start)).toEqual([at(14, 30)])
    replica.delta(delta(10, 12, [net('3', 12)]))
    expect(replica.rows()).toHaveLength(1)
  })

  it('deltas that wait for a snapshot are bounded, and what was dropped shows as a gap', () => {
    const { replica, asked } = setup()
    replica.connected()
    for (let pos = 10; pos < 310; pos++) replica.delta(delta(pos, pos + 1, []))
    asked.length = 0
    replica.snapshot(snapshot(10, []))
    expect(asked).toEqual([{ view: VIEW, filter: {}, from: FROM, since: 10 }])
  })

  it('a range that grows to the left asks for everything; one that wavers by a minute does not', () => {
    const { replica, asked } = following()
    replica.startAt(FROM - 60_000)
    expect(asked).toEqual([])
    replica.startAt(FROM - 3_600_000)
    expect(asked).toEqual([{ view: VIEW, filter: {}, from: FROM - 3_600_000 }])
  })

  it('nothing is taken from a socket that is down', () => {
    const { replica, nets } = following()
    replica.disconnected()
    replica.delta(delta(10, 12, [net('9', 12)]))
    expect(nets()).toEqual(['1'])
  })

  it('whatever is lost, doubled or delayed on the way, the copy ends where the server is', () => {
    const step = fc.record({
      lost: fc.boolean(),
      doubled: fc.boolean(),
      drop: fc.boolean(),
      start: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        expect(replay(steps)).toBe(true)
      }),
    )
  })
})

interface Step {
  readonly lost: boolean
  readonly doubled: boolean
  readonly drop: boolean
  readonly start: number
}

/** A model server with absolute rows; every ask is answered, the last delta is never lost. */
function replay(steps: readonly Step[]): boolean {
  const server = new Map<number, WindowRow>()
  let pos = 1
  let sent = 1
  const asks: Subscribe[] = []
  const replica = new ViewReplica(VIEW, FROM, (message) => asks.push(message))
  const answer = () => {
    for (let ask = asks.shift(); ask; ask = asks.shift()) {
      const since = ask.since
      const rows = [...server.values()].filter((r) => since === undefined || r.pos > since)
      replica.snapshot(snapshot(pos, rows, since !== undefined))
    }
  }
  replica.connected()
  answer()
  for (const { lost, doubled, drop, start } of [
    ...steps,
    { lost: false, doubled: false, drop: false, start: 0 },
  ]) {
    pos += 1
    const changed = net(String(pos), pos, { start: at(14, start), end: at(14, start + 1) })
    server.set(start, changed)
    const message = delta(sent, pos, [changed])
    sent = pos
    if (!lost) replica.delta(message)
    if (doubled && !lost) replica.delta(message)
    if (drop) {
      replica.disconnected()
      replica.connected()
    }
    if (!doubled) answer()
  }
  answer()
  const mine = new Map(replica.rows().map((r) => [r.start, r.net]))
  return mine.size === server.size && [...server.values()].every((r) => mine.get(r.start) === r.net)
}
