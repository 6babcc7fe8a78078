import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeSnapshot } from '@/server/engine/snapshot'
import { initialState } from '@/server/engine/state'
import { step } from '@/server/engine/step'
import { hashOf, recoverState } from '@/server/runner/recovery'
import { createStore, type Store } from '@/server/store/client'
import { readSegments, readSnapshots } from '@/server/store/readSnapshots'
import { saveSnapshot } from '@/server/store/saveSnapshot'
import { freshDatabase, query, type TestDatabase } from '@/tests/support/database'
import { minuteSpec, orders, silent } from '@/tests/support/pipeline'

/** The engine's state in Postgres: what a start begins from. */
describe('kept snapshots', () => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  const stateAt = (position: number) => {
    const state = initialState()
    step(state, { kind: 'spec', at: 1, spec: minuteSpec, position: 1 })
    for (let p = 2; p <= position; p++) step(state, { ...orders(p * 1_000, p * 100), position: p })
    return state
  }
  const save = (position: number) => {
    const segments = takeSnapshot(stateAt(position)).map(({ name, bytes }) => ({
      name,
      bytes,
      hash: hashOf(bytes),
    }))
    return saveSnapshot(store, { position, at: position * 1_000, rulesVersion: 1, format: 1, segments })
  }
  const snapshots = {
    list: (upTo: number) => readSnapshots(store, upTo),
    segments: (snapshot: Parameters<typeof readSegments>[1]) => readSegments(store, snapshot),
  }
  const recover = (committed: number, first = 1) =>
    recoverState({ snapshots, logger: silent }, committed, first)
  const damage = (position: number) =>
    query(
      database.url,
      `UPDATE snapshot_segment SET body = set_byte(body, length(body) - 20, 255 - get_byte(body, length(body) - 20))
       WHERE hash = (SELECT segments -> 0 ->> 'hash' FROM snapshot WHERE position = $1)`,
      [position],
    )

  it('keeps the last three, and no segment that none of them has', async () => {
    for (const position of [3, 4, 5, 6]) await save(position)
    expect((await readSnapshots(store, 99)).map(({ position }) => position)).toEqual([6, 5, 4])
    const [unused] = await query<{ n: number }>(
      database.url,
      `SELECT count(*)::int AS n FROM snapshot_segment
       WHERE hash NOT IN (SELECT s ->> 'hash' FROM snapshot, jsonb_array_elements(segments) s)`,
    )
    expect(unused?.n).toBe(0)
  })

  it('writes no segment twice', async () => {
    const { written } = await save(6)
    expect(written).toBe(0)
    expect((await save(7)).written).toBeGreaterThan(0)
  })

  it('gives the state of the newest one up to what is committed', async () => {
    expect(takeSnapshot(await recover(7))).toEqual(takeSnapshot(stateAt(7)))
    expect((await recover(6)).position).toBe(6)
    expect((await recover(4)).position).toBe(0)
  })

  it('passes over one that is damaged or incomplete, and begins anew where none is left', async () => {
    await damage(7)
    expect((await recover(9)).position).toBe(6)
    await query(database.url, `UPDATE snapshot SET segments = segments - 2 WHERE position = 6`)
    expect((await recover(9)).position).toBe(5)
    await damage(5)
    expect((await recover(9)).position).toBe(0)
    await expect(recover(9, 2)).rejects.toThrow('no snapshot can be read')
  })

  it('one that ends before the journal begins is no use', async () => {
    await save(8)
    expect((await recover(9, 9)).position).toBe(8)
    await expect(recover(9, 10)).rejects.toThrow('the journal begins at position 10 only')
  })
})
