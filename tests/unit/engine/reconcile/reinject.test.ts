import { describe, expect, it } from 'vitest'
import { Run, tumbling } from '../../../support/engine'
import { named, reinject, takeOut } from '../../../support/lateStore/places'

const views = [
  { id: 'm', window: tumbling(1_000) },
  { id: 'ten', window: tumbling(10_000) },
  { id: 'arrivals', window: tumbling(1_000), time: 'journal' as const },
]

/** Two orders of one buyer in [0, 1000), and one of them late: its window closed when 5,000 came. */
function withOneLate(): Run {
  const run = new Run({ views })
  run.events({ ts: 100, at: 200, id: 'x', order: 'o1', user: 'u', amount: '10' })
  run.events({ ts: 5_000, at: 5_100, id: 'y', order: 'o2', user: 'v', amount: '1' })
  run.events({ ts: 300, at: 5_200, id: 'late', order: 'o3', user: 'u', amount: '2.50' })
  return run
}

describe('re-injection', () => {
  it('counts a late event in every window that it belongs to: closed, held, and by arrival', async () => {
    const run = withOneLate()
    expect(run.row('m', 0)).toMatchObject({ gross: '10.0000', revision: 1, status: 'closed' })
    const outcome = await reinject(run, 'late')
    expect(outcome.command).toMatchObject({ refused: null, changes: ['1 event re-injected'] })
    expect(run.row('m', 0)).toMatchObject({
      ...{ gross: '12.5000', orders: 2, buyers: 1, events: 2, revision: 2, status: 'closed' },
    })
    expect(run.row('ten', 0)).toMatchObject({
      gross: '13.5000',
      orders: 3,
      buyers: 2,
      revision: 0,
      status: 'open',
    })
    expect(run.row('arrivals', 5_000)).toMatchObject({ gross: '3.5000', orders: 2, events: 2 })
  })

  it('makes a revision that says what it was, what it is, who did it and by which events', async () => {
    const run = withOneLate()
    const { revisions } = await reinject(run, 'late')
    expect(revisions).toMatchObject([
      {
        ...{ view: 'm', kind: 'reconciled', by: 'ann', revision: 2, eventCount: 1, eventIds: ['late'] },
        ...{ before: { gross: '10.0000' }, after: { gross: '12.5000' }, deltaNet: '2.5000' },
      },
    ])
  })

  it('moves the event from late to corrected, and the identity holds', async () => {
    const run = withOneLate()
    await reinject(run, 'late')
    expect(run.state.counts).toMatchObject({ received: 3, inTime: 2, corrected: 1, late: 0 })
    expect(run.state.countsBySource.get('a')).toMatchObject({ received: 3, corrected: 1, late: 0 })
  })

  it('later events of a held window count on top, and know the ids that were re-injected', async () => {
    const run = withOneLate()
    await reinject(run, 'late')
    run.events({ ts: 5_500, at: 5_600, id: 'z', order: 'o3', user: 'u', amount: '1' })
    expect(run.row('ten', 0)).toMatchObject({ gross: '14.5000', orders: 3, buyers: 2, events: 4 })
  })

  it('a second time does nothing and says so', async () => {
    const run = withOneLate()
    await reinject(run, 'late')
    const again = await reinject(run, 'late')
    expect(again.command).toMatchObject({ refused: 'nothing to do: 1 event is counted already', changes: [] })
    expect(again.revisions).toEqual([])
    expect(run.row('m', 0)).toMatchObject({ gross: '12.5000', revision: 2 })
  })

  it('an event that was never late, one that is not there, and one that is named twice are told apart', async () => {
    const run = withOneLate()
    const [late] = named(run, 'late')
    const [counted] = named(run, 'x')
    if (!late || !counted) throw new Error('no events')
    const stranger = { source: 'a', eventId: 'nobody', position: 2, row: 0 }
    const { command } = await run.tell({ kind: 'reinject', events: [late, late, counted, stranger] })
    expect(command?.changes).toEqual([
      '1 event re-injected',
      '1 event is named twice',
      '1 event is counted already',
      expect.stringMatching(/^1 event is not known there/),
    ])
  })

  it('an id that was counted in another window cannot be counted again', async () => {
    const run = withOneLate()
    run.events({ ts: 400, at: 5_300, id: 'x', order: 'o1', amount: '10' })
    expect(run.late.at(-1)?.id).toBe('x')
    const repeat = { source: 'a', eventId: 'x', position: run.state.position, row: 0 }
    const { command } = await run.tell({ kind: 'reinject', events: [repeat] })
    expect(command?.refused).toMatch(/repeat of an event|repeats of an event/)
  })

  it('a key that the window never had makes a row of its own, from nothing', async () => {
    const run = new Run({ views: [{ id: 'm', window: tumbling(1_000), groupBy: ['shop'] }] })
    run.events({ ts: 100, id: 'x', dims: { shop: 'A' } }, { ts: 5_000, id: 'y', dims: { shop: 'A' } })
    run.events({ ts: 300, id: 'late', dims: { shop: 'B' } })
    const { revisions } = await reinject(run, 'late')
    expect(revisions).toMatchObject([{ revision: 1, before: null, dims: ['B'] }])
    expect(run.row('m', 0, '["USD","B"]')).toMatchObject({ status: 'closed', events: 1 })
  })

  it('a key that the window folded away goes to the overflow, distinct ids and all', async () => {
    const over = { views: [{ id: 'm', window: tumbling(1_000), groupBy: ['shop'], maxKeys: 1 }] }
    const run = new Run(over)
    const dims = (shop: string) => ({ shop })
    run.events({ ts: 100, id: 'x', dims: dims('A') }, { ts: 100, id: 'o', order: 'o', dims: dims('B') })
    run.events({ ts: 5_000, id: 'y', dims: dims('A') })
    run.events({ ts: 300, id: 'l1', order: 'o', dims: dims('C') }, { ts: 300, id: 'l2', dims: dims('C') })
    await reinject(run, 'l1', 'l2')
    expect(run.row('m', 0, '["USD","__other__"]')).toMatchObject({ orders: 2, events: 3, revision: 2 })
    expect(run.row('m', 0, '["USD","A"]')).toMatchObject({ events: 1, revision: 1 })
    expect(run.state.counts).toMatchObject({ overflow: 3 })
  })

  it('a window that nothing was counted in appears', async () => {
    const run = new Run({ views })
    run.events({ ts: 5_000, at: 5_000, id: 'y' }, { ts: 20_000, at: 20_000, id: 'w' })
    run.events({ ts: 1_500, at: 20_100, id: 'late' })
    await reinject(run, 'late')
    expect(run.row('m', 1_000)).toMatchObject({ status: 'closed', events: 1, revision: 1 })
    expect(run.row('ten', 0)).toMatchObject({ status: 'closed', events: 2, revision: 2 })
  })

  it('pipelines with sessions refuse it in words, and change nothing', async () => {
    const over = { views: [...views, { id: 'visits', window: { kind: 'session' as const, gap: 1_000 } }] }
    const run = new Run(over)
    run.events({ ts: 100, id: 'x' }, { ts: 50_000, id: 'y' }, { ts: 300, id: 'late' })
    const { command } = await reinject(run, 'late')
    expect(command?.refused).toMatch(/view visits counts sessions.*only be written off/)
    expect(run.state.counts.late).toBe(1)
  })
})

describe('void', () => {
  it('takes counted events out again, and restores what was', async () => {
    const run = withOneLate()
    const before = [run.row('m', 0), run.row('ten', 0), run.row('arrivals', 5_000)]
    await reinject(run, 'late')
    const { command } = await takeOut(run, 'late')
    expect(command?.changes).toEqual(['1 event voided'])
    const after = [run.row('m', 0), run.row('ten', 0), run.row('arrivals', 5_000)]
    expect(after.map((row) => ({ ...row, revision: 0 }))).toEqual(
      before.map((row) => ({ ...row, revision: 0 })),
    )
    expect(run.row('m', 0)?.revision).toBe(3)
    expect(run.state.counts).toMatchObject({ received: 3, inTime: 2, corrected: 0, late: 1 })
  })

  it('an order that others of the row have stays among the distinct ones', async () => {
    const run = new Run({ views })
    run.events(
      { ts: 100, at: 100, id: 'x', order: 'o', user: 'u' },
      { ts: 200, at: 100, id: 'y', order: 'o', user: 'w' },
    )
    await takeOut(run, 'x')
    expect(run.row('m', 0)).toMatchObject({ orders: 1, buyers: 1, events: 1, status: 'open' })
    await takeOut(run, 'y')
    expect(run.row('m', 0)).toMatchObject({ gross: '0.0000', orders: 0, buyers: 0, events: 0 })
    expect(run.state.counts).toMatchObject({ inTime: 0, late: 2 })
  })

  it('is undone by re-injection, and does nothing twice', async () => {
    const run = withOneLate()
    await takeOut(run, 'x')
    expect((await takeOut(run, 'x')).command?.refused).toMatch(/not counted now/)
    expect(run.row('m', 0)).toMatchObject({ gross: '0.0000', orders: 0, events: 0, revision: 2 })
    await reinject(run, 'x')
    expect(run.row('m', 0)).toMatchObject({ gross: '10.0000', orders: 1, events: 1, revision: 3 })
    expect(run.state.counts).toMatchObject({ inTime: 1, corrected: 1, late: 1 })
  })

  it('a repeat of a voided event is still a repeat while its window is held', async () => {
    const run = new Run({ views })
    run.events({ ts: 100, at: 100, id: 'x' })
    await takeOut(run, 'x')
    run.events({ ts: 100, at: 150, id: 'x' })
    expect(run.state.counts).toMatchObject({ inTime: 0, late: 1, duplicate: 1 })
    await reinject(run, 'x')
    expect(run.state.counts).toMatchObject({ corrected: 1, late: 0, duplicate: 1 })
    expect(run.row('m', 0)).toMatchObject({ events: 1 })
  })
})

describe('write-off and proven repeats', () => {
  it('what is written off stays late, and can be re-injected after all', async () => {
    const run = withOneLate()
    const events = named(run, 'late')
    expect((await run.tell({ kind: 'writeOff', events })).lateChanges).toMatchObject([
      { change: 'written_off' },
    ])
    expect((await run.tell({ kind: 'writeOff', events })).command?.refused).toMatch(/written off already/)
    expect(run.state.counts.late).toBe(1)
    await reinject(run, 'late')
    expect(run.state.counts).toMatchObject({ late: 0, corrected: 1 })
    expect((await run.tell({ kind: 'writeOff', events })).command?.refused).toMatch(/counted already/)
  })

  it('a proven repeat is a duplicate as often as it came, and a conflict where its content differs', async () => {
    const run = withOneLate()
    run.events({ ts: 100, at: 5_300, id: 'x', order: 'o1', amount: '11' })
    run.events({ ts: 100, at: 5_300, id: 'x', order: 'o1', amount: '11' })
    expect(run.state.counts).toMatchObject({ late: 3, duplicate: 0 })
    const events = [{ source: 'a', eventId: 'x', position: 5, row: 0, conflict: true }]
    await run.tell({ kind: 'confirmDuplicates', events })
    expect(run.state.counts).toMatchObject({ late: 1, duplicate: 2, conflict: 2 })
    expect((await run.tell({ kind: 'confirmDuplicates', events })).command?.refused).toMatch(/accounted for/)
    run.events({ ts: 100, at: 5_300, id: 'x', order: 'o1', amount: '11' })
    await run.tell({ kind: 'confirmDuplicates', events })
    expect(run.state.counts).toMatchObject({ received: 6, late: 1, duplicate: 3 })
  })

  it('of a late event that came three times, one is counted and two are repeats', async () => {
    const run = withOneLate()
    run.events({ ts: 300, at: 5_300, id: 'late' }, { ts: 300, at: 5_300, id: 'late' })
    await reinject(run, 'late')
    expect(run.state.counts).toMatchObject({ received: 5, inTime: 2, corrected: 1, late: 0, duplicate: 2 })
  })
})
