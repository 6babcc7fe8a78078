import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { LateRuleRun } from '@/server/runner/lateStore/applyRules'
import { PostgresHistory } from '@/server/runner/lateStore/postgresHistory'
import { verifyFurther, verifyLate } from '@/server/runner/lateStore/verifyLate'
import { sumLateWaiting } from '@/server/store/sumLateWaiting'
import { freshDatabase, noPostgres, query, type TestDatabase } from '@/tests/support/database'
import { batchOf, type Ev, spec, tumbling } from '@/tests/support/engine'
import { RealPipeline } from '@/tests/support/lateStore/realPipeline'

const definition = spec({ views: [{ id: 'm', window: tumbling(1_000) }] })

describe.skipIf(noPostgres)('late events, verified in the background', () => {
  let database: TestDatabase
  let real: RealPipeline
  let at: number

  beforeEach(async () => {
    database = await freshDatabase()
    real = await RealPipeline.open(database.url, { kind: 'spec', at: 0, spec: definition })
    at = 0
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
  const deps = () => ({ store: real.store, history: new PostgresHistory(real.store), runner: real.runner })
  const rows = () =>
    query(database.url, 'SELECT event_id, status, conflict, seen, settled FROM late_event ORDER BY event_id')
  const counts = () => real.runner.status().counts

  /** x is counted and its window closes; then come: x again, x2 of another time, late y, and y again. */
  const mixed = async () => {
    await send({ ts: 100, id: 'x', amount: '10' }, { ts: 200, id: 'x2' }, { ts: 9_000, id: 'closes' })
    await send(
      { ts: 100, id: 'x', amount: '10' },
      { ts: 1_500, id: 'x2' },
      { ts: 300, id: 'y', amount: '7.50' },
    )
    await send({ ts: 300, id: 'y', amount: '7.50' })
  }

  it('proven repeats become duplicates, with a conflict where they differ; the rest waits', async () => {
    await mixed()
    expect(counts()).toMatchObject({ received: 7, inTime: 3, late: 4, duplicate: 0 })
    expect(await sumLateWaiting(real.store)).toEqual([])
    expect(await verifyLate(deps())).toEqual({ waiting: 1, duplicates: 2 })
    expect(await rows()).toEqual([
      { event_id: 'x', status: 'duplicate', conflict: false, seen: 1, settled: 1 },
      { event_id: 'x2', status: 'duplicate', conflict: true, seen: 1, settled: 1 },
      { event_id: 'y', status: 'waiting', conflict: false, seen: 2, settled: 0 },
    ])
    expect(counts()).toMatchObject({ received: 7, inTime: 3, late: 2, duplicate: 2, conflict: 1 })
    expect(await sumLateWaiting(real.store)).toEqual([{ currency: 'USD', count: 1, amount: '7.5000' }])
    expect(await query(database.url, 'SELECT kind, by, refused FROM command_log')).toEqual([
      { kind: 'confirmDuplicates', by: 'tidemark', refused: null },
    ])
  })

  it('a pass that finds nothing new gives no command', async () => {
    await mixed()
    await verifyLate(deps())
    expect(await verifyLate(deps())).toEqual({ waiting: 0, duplicates: 0 })
    expect(await query(database.url, 'SELECT FROM command_log')).toHaveLength(1)
  })

  it('a repeat that comes again is a duplicate again', async () => {
    await mixed()
    await verifyLate(deps())
    await send({ ts: 100, id: 'x', amount: '10' }, { ts: 100, id: 'x', amount: '10' })
    expect(await verifyLate(deps())).toEqual({ waiting: 0, duplicates: 1 })
    expect(counts()).toMatchObject({ received: 9, late: 2, duplicate: 4 })
    expect((await rows())[0]).toMatchObject({ status: 'duplicate', seen: 3, settled: 3 })
  })

  it('an id of another source is another event', async () => {
    await send({ ts: 100, id: 'x' }, { ts: 9_000, id: 'closes' })
    await send({ ts: 9_000, id: 'w', source: 'b' }, { ts: 100, id: 'x', source: 'b' })
    expect(await verifyLate(deps())).toEqual({ waiting: 1, duplicates: 0 })
  })

  it('an id that is counted elsewhere after it was verified cannot be re-injected', async () => {
    await mixed()
    await verifyLate(deps())
    await send({ ts: 20_000, id: 'y', amount: '7.50' })
    expect(counts()).toMatchObject({ inTime: 4 })
    const events = [{ source: 'a', eventId: 'y', position: 3, row: 2 }]
    await verifyFurther(deps(), events)
    const { outcome } = await real.runner.command({ kind: 'reinject', events }, { by: 'ann', reason: '' })
    expect(outcome.refused).toMatch(/repeats of an event that was counted/)
  })

  describe('with a rule', () => {
    beforeEach(async () => {
      const lateRules = { reinjectUpTo: 8_700, maxAmount: '8' }
      await real.runner.command(
        { kind: 'changeSpec', spec: PipelineSpec.parse({ ...definition, lateRules }) },
        { by: 'ann', reason: '' },
      )
    })

    it('re-injects what is verified and within it, by the name of the rule', async () => {
      await mixed()
      const rule = new LateRuleRun(deps())
      expect(await rule.run()).toBe(0)
      await verifyLate(deps())
      expect(await rule.run()).toBe(1)
      expect((await rows()).map(({ status }) => status)).toEqual(['duplicate', 'duplicate', 'reconciled'])
      expect(counts()).toMatchObject({ received: 7, inTime: 3, corrected: 1, late: 0, duplicate: 3 })
      expect(
        await query(database.url, `SELECT after_gross::text, by FROM revision WHERE kind = 'reconciled'`),
      ).toEqual([{ after_gross: '18.5000', by: 'rule' }])
      expect(await rule.run()).toBe(0)
    })

    it.each([
      ['too much money', { ts: 300, id: 'z', amount: '8.01' }],
      ['too late', { ts: -500, id: 'z', amount: '1' }],
    ])('leaves alone what is %s', async (_, event) => {
      await send({ ts: 9_000, id: 'closes' })
      await send(event)
      await verifyLate(deps())
      expect(await new LateRuleRun(deps()).run()).toBe(0)
      expect(await rows()).toMatchObject([{ event_id: 'z', status: 'waiting' }])
    })
  })
})
