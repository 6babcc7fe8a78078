import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LateStatus } from '@/server/contracts/lateStore'
import { createLatePast } from '@/server/runner/lateStore/latePast'
import { PostgresHistory } from '@/server/runner/lateStore/postgresHistory'
import { verifyLate } from '@/server/runner/lateStore/verifyLate'
import { createKey } from '@/server/services/keys/createKey'
import type { Selection } from '@/server/services/late/deps'
import { lateList } from '@/server/services/late/list'
import { reinject } from '@/server/services/late/reinject'
import { voidEvents } from '@/server/services/late/void'
import { writeOff } from '@/server/services/late/writeOff'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'
import { batchOf, type Ev, spec, tumbling } from '@/tests/support/engine'
import { RealPipeline } from '@/tests/support/lateStore/realPipeline'

const definition = spec({ views: [{ id: 'm', window: tumbling(1_000) }] })

describe.skipIf(noPostgres)('what an operator does in the late store', () => {
  let database: TestDatabase
  let real: RealPipeline
  let key: { id: string; name: string }
  let at: number

  beforeEach(async () => {
    database = await freshDatabase()
    real = await RealPipeline.open(database.url, { kind: 'spec', at: 0, spec: definition })
    const made = await createKey(real.store, { name: 'ann', operator: true })
    key = { id: made.id, name: 'ann' }
    at = 0
    await send({ ts: 100, id: 'x', amount: '10' }, { ts: 9_000, id: 'closes' })
    await send({ ts: 300, id: 'y', amount: '7.50' }, { ts: 400, id: 'z', source: 'b', amount: '2' })
  })
  afterEach(async () => {
    await real.close()
    await database.drop()
  })

  const send = async (...events: Ev[]) => {
    at += 10_000
    await real.append({ kind: 'events', at, batch: batchOf(events, at), rejected: [] })
    await real.settled()
  }
  const history = () => new PostgresHistory(real.store)
  const deps = () => ({ store: real.store, runner: real.runner, past: createLatePast(real.store, history()) })
  const verified = () => verifyLate({ store: real.store, history: history(), runner: real.runner })
  const id = (eventId: string, source = 'a') => ({ source, eventId })
  const gross = async () => {
    await real.settled()
    return (await query(database.url, 'SELECT gross::text FROM window_row WHERE window_id = 0'))[0]?.gross
  }
  const list = async (...statuses: LateStatus[]) => {
    await real.settled()
    return (await lateList({ store: real.store }, { statuses, limit: 10 })).rows.map(({ eventId }) => eventId)
  }
  const takeOut = (selection: Selection) => voidEvents(deps(), { key, reason: 'test orders', selection })

  it('an event that is not verified yet cannot be re-injected, and says that it takes seconds', async () => {
    const again = () => reinject(deps(), { key, reason: '', events: [id('y')] })
    await expect(again()).rejects.toMatchObject({ code: 'bad_request', message: /event y of a.*seconds/ })
    await verified()
    expect((await again()).outcome).toMatchObject({ refused: null, changes: ['1 event re-injected'] })
    expect(await gross()).toBe('17.5000')
    expect(await query(database.url, `SELECT by FROM revision WHERE kind = 'reconciled'`)).toEqual([
      { by: 'ann' },
    ])
  })

  it('an id that the late store does not have is named, and nothing is done for the others', async () => {
    await verified()
    const events = [id('y'), id('nobody'), id('no one')]
    await expect(reinject(deps(), { key, reason: '', events })).rejects.toMatchObject({
      ...{
        code: 'not_found',
        message: 'The late store has no event nobody of a and 1 other. Nothing was done.',
      },
    })
    expect(await gross()).toBe('10.0000')
  })

  it('what is written off waits no more, and is re-injected if it was a mistake', async () => {
    await verified()
    await writeOff(deps(), { key, reason: 'test till', events: [id('y'), id('z', 'b')] })
    expect(await list('waiting', 'unverified')).toEqual([])
    expect(await list('written_off')).toEqual(['z', 'y'])
    const again = await writeOff(deps(), { key, reason: '', events: [id('y')] })
    expect(again.outcome.refused).toMatch(/1 event is written off already/)
    await reinject(deps(), { key, reason: 'it was real', events: [id('y')] })
    expect(await list('reconciled')).toEqual(['y'])
    expect(await gross()).toBe('17.5000')
  })

  it.each<[string, Selection]>([
    ['by id', { events: [id('x')] }],
    ['by a stretch of time', { source: 'a', from: 0, to: 500 }],
    ['by journal positions', { positions: { first: 1, last: 2 }, source: 'a' }],
  ])('counted events are voided %s, stand in the late store, and come back', async (_, selection) => {
    await takeOut(selection)
    expect(await gross()).toBe('0.0000')
    expect(await list('voided')).toContain('x')
    await reinject(deps(), { key, reason: 'undo', events: [id('x')] })
    expect(await gross()).toBe('10.0000')
  })

  it('a void of what is not counted names it; one of nothing says so; each does nothing', async () => {
    await expect(takeOut({ events: [id('y')] })).rejects.toMatchObject({
      code: 'not_found',
      message: /event y of a/,
    })
    await expect(takeOut({ source: 'a', from: 500, to: 600 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await gross()).toBe('10.0000')
  })

  it('a selection of more than one command holds is refused whole', async () => {
    const many = Array.from({ length: 5_001 }, (_, i) => ({ ts: 9_100 + (i % 10), id: `m${i}` }))
    await send(...many)
    await expect(takeOut({ source: 'a', from: 0, to: 20_000 })).rejects.toMatchObject({
      ...{ code: 'too_many_events', message: expect.stringContaining('More than 5,000 events') },
    })
    expect((await takeOut({ source: 'a', from: 9_101, to: 9_110 })).outcome.refused).toBeNull()
  })

  it('a key without the right is refused before anything is looked up', async () => {
    const { id: weak } = await createKey(real.store, { name: 'pos' })
    const asking = { key: { id: weak, name: 'pos' }, reason: '', events: [id('nobody')] }
    for (const verb of [reinject, writeOff]) {
      await expect(verb(deps(), asking)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  it('pages go on where the last one ended', async () => {
    const filter = { statuses: ['unverified' as const], limit: 1 }
    const first = await lateList({ store: real.store }, filter)
    const second = await lateList({ store: real.store }, { ...filter, before: first.next ?? undefined })
    expect([first, second].map(({ rows }) => rows[0]?.eventId)).toEqual(['z', 'y'])
    expect(first.total).toBe(2)
    const ofB = await lateList({ store: real.store }, { ...filter, source: 'b', limit: 5 })
    expect(ofB).toMatchObject({ total: 1, next: null })
  })
})
