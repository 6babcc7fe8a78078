import { describe, expect, test } from 'vitest'
import { RULES_VERSION } from '../../../../server/contracts/pipelineSpec'
import {
  restoreSnapshot,
  SNAPSHOT_FORMAT,
  SnapshotError,
  type SnapshotSegment,
  takeSnapshot,
} from '../../../../server/engine/snapshot'
import { SegmentWriter } from '../../../../server/engine/snapshot/segment'
import { initialState } from '../../../../server/engine/state'
import { inForce } from '../../../support/anyProgram'
import { Run, spec, tumbling } from '../../../support/engine'

/** A state with something in all of its parts. */
function begun(): Run {
  const run = new Run({
    allowedLateness: 500,
    views: [
      { id: 'm', window: tumbling(1000), groupBy: ['k'] },
      { id: 's', window: { kind: 'sliding', size: 3000, slide: 1000 }, groupBy: ['userId'] },
      { id: 'u', window: { kind: 'session', gap: 100 } },
    ],
    sources: [{ name: 'a' }, { name: 'l', strategy: { kind: 'adaptive' } }],
  })
  run.oneByOne({ ts: 500, user: 'é', dims: { k: 'x' } }, { ts: 1100, source: 'l' }, { ts: 1200, user: 'u' })
  return run
}
const changed = (
  segments: readonly SnapshotSegment[],
  name: string,
  how: (bytes: Uint8Array) => Uint8Array,
) =>
  segments.map((segment) => {
    return segment.name === name ? { name, bytes: how(Uint8Array.from(segment.bytes)) } : segment
  })
/** Writes a number at a place of 8 bytes, as segments hold them. */
const withNumber = (place: number, value: number) => (bytes: Uint8Array) => {
  new DataView(bytes.buffer).setFloat64(place * 8, value, true)
  return bytes
}
const names = takeSnapshot(begun().state).map((segment) => segment.name)

describe('a snapshot', () => {
  test('is of the state and does not change it; taken again, it is the same to the byte', () => {
    const { state } = begun()
    expect(takeSnapshot(state)).toEqual(takeSnapshot(state))
  })

  test('restored and taken again holds the same state', () => {
    const { state } = begun()
    const again = restoreSnapshot(takeSnapshot(state))
    expect(takeSnapshot(restoreSnapshot(takeSnapshot(again)))).toEqual(takeSnapshot(again))
    expect([again.position, again.at, again.counts]).toEqual([state.position, state.at, state.counts])
  })

  test('changes nothing about the order in which windows close: some had been looked at when L was lowered', () => {
    const closedIn = (restarts: boolean) => {
      const run = new Run({
        allowedLateness: 96,
        views: [
          { id: 'm', window: tumbling(10) },
          { id: 'u', window: { kind: 'session', gap: 1 } },
        ],
      })
      run.oneByOne({ ts: 98 }, { ts: 190 })
      run.command({ kind: 'changeSpec', spec: spec({ ...inForce(run), allowedLateness: 63 }) })
      if (restarts) run.restart()
      return run.events({ ts: 300 }).closed.map(({ view, windowId }) => `${view} ${windowId}`)
    }
    expect(closedIn(false)).toEqual(['m 90', 'm 190', 'u 1', 'u 2'])
    expect(closedIn(true)).toEqual(closedIn(false))
  })

  test('reads from buffers that a driver has cut out of a larger one, in any order', () => {
    const run = begun()
    const pooled = takeSnapshot(run.state).map(({ name, bytes }) => {
      const pool = new Uint8Array(bytes.length + 11)
      pool.set(bytes, 3)
      return { name, bytes: pool.subarray(3, 3 + bytes.length) }
    })
    run.state = restoreSnapshot(pooled.reverse())
    run.events({ ts: 600, dims: { k: 'x' } })
    expect(run.row('m', 0, '["USD","x"]')?.events).toBe(2)
  })

  test('of a pipeline that has no definition yet is refused', () => {
    expect(() => takeSnapshot(initialState())).toThrow(RangeError)
  })
})

describe('a snapshot that cannot be read is refused in words', () => {
  const segments = () => takeSnapshot(begun().state)
  const refusal = (parts: readonly SnapshotSegment[]) => {
    try {
      restoreSnapshot(parts)
      return null
    } catch (error) {
      return error
    }
  }

  test.each(names)('segment %s: missing, cut short, longer, or something else', (name) => {
    const bad = [
      segments().filter((segment) => segment.name !== name),
      changed(segments(), name, (bytes) => bytes.subarray(0, bytes.length - 8)),
      changed(segments(), name, (bytes) => bytes.subarray(0, 16)),
      changed(segments(), name, (bytes) => bytes.subarray(0, 0)),
      changed(segments(), name, (bytes) => Uint8Array.from([...bytes, ...new Uint8Array(8)])),
      changed(segments(), name, (bytes) => new Uint8Array(bytes.length)),
      changed(segments(), name, () => segments().find((s) => s.name !== name)?.bytes ?? new Uint8Array()),
    ]
    for (const parts of bad) {
      const error = refusal(parts)
      expect(error).toBeInstanceOf(SnapshotError)
      expect(String(error)).toContain(`"${name}"`)
    }
  })

  test('one of a newer format says which, and which this program reads', () => {
    const newer = changed(segments(), 'clock', withNumber(1, SNAPSHOT_FORMAT + 1))
    expect(String(refusal(newer))).toMatch(new RegExp(`newer.*${SNAPSHOT_FORMAT + 1}.*${SNAPSHOT_FORMAT}`))
  })

  test('one of later rules says which, and which this program knows', () => {
    // The first number of `meta`; the rest is not looked at.
    const { bytes } = new SegmentWriter('meta').number(RULES_VERSION + 1).done()
    const newer = changed(segments(), 'meta', () => bytes)
    expect(refusal(newer)).toBeInstanceOf(SnapshotError)
    expect(String(refusal(newer))).toContain(`rules version ${RULES_VERSION + 1}`)
  })
})
