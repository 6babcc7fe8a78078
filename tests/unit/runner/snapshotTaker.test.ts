import { describe, expect, it } from 'vitest'
import { initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { SnapshotTaker, type SnapshotToKeep } from '@/server/runner/snapshotTaker'
import { minuteSpec, silent } from '@/tests/support/pipeline'

const MINUTE = 60_000

/** A taker on a clock that the test moves, and a state to take. */
function setUp(save: (snapshot: SnapshotToKeep) => Promise<{ written: number }>) {
  let now = 0
  const taker = new SnapshotTaker({ save, monotonic: () => now, logger: silent })
  const state = initialState()
  step(state, { kind: 'spec', at: 1, spec: minuteSpec, position: 1 })
  const fold = (ms: number) =>
    taker.timed(() => {
      now += ms
    })
  return {
    taker,
    state,
    fold,
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('when a snapshot is due', () => {
  const kept: SnapshotToKeep[] = []
  const keep = async (snapshot: SnapshotToKeep) => {
    kept.push(snapshot)
    return { written: 1 }
  }

  it('after two seconds of folding, or five minutes in which anything came', async () => {
    const t = setUp(keep)
    t.pass(10 * MINUTE)
    expect(t.taker.due).toBe(false)
    t.fold(1)
    expect(t.taker.due).toBe(true)
    await t.taker.take(t.state)
    await t.taker.settled()
    expect(kept.at(-1)).toMatchObject({ position: 1, at: 1 })
    t.fold(1_999)
    expect(t.taker.due).toBe(false)
    t.fold(1)
    expect(t.taker.due).toBe(true)
  })

  it('not while one is on its way; one that could not be kept is no end of them', async () => {
    let refuse: (error: Error) => void = () => {}
    const t = setUp(() => new Promise((_, reject) => (refuse = reject)))
    t.fold(3_000)
    await t.taker.take(t.state)
    t.fold(3_000)
    expect(t.taker.due).toBe(false)
    refuse(new Error('the database is away'))
    await t.taker.settled()
    expect(t.taker.due).toBe(true)
  })

  it('at an end: where anything was folded since the last', async () => {
    const t = setUp(keep)
    expect(t.taker.worthwhile).toBe(false)
    t.fold(1)
    expect(t.taker.worthwhile).toBe(true)
    await t.taker.take(t.state)
    await t.taker.settled()
    expect(t.taker.worthwhile).toBe(false)
  })
})
