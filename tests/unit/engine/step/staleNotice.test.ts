import { describe, expect, test } from 'vitest'
import { type Ev, Run } from '../../../support/engine'

const DAY = 86_400_000
const NOW = 10 * DAY
let made = 0
const live = (ts = NOW): Ev => ({ ts, id: `live${made++}` })
/** A millisecond more than a day behind. */
const old = (ts = NOW - DAY - 1): Ev => ({ ts, id: `old${made++}` })
const many = (n: number, event: () => Ev) => Array.from({ length: n }, event)

/** A run whose source has sent up to NOW. */
function begun(): Run {
  const run = new Run({ strategy: { kind: 'ascending' } })
  run.events(live())
  return run
}
const kinds = (run: Run) => run.notices.map((n) => [n.kind, n.subject])

describe('a source that sends its history again', () => {
  test('is named once when more than half of its last 200 events are a day older than what it had sent', () => {
    const run = begun()
    run.events(...many(99, live), ...many(100, old))
    expect(run.notices).toEqual([])
    run.record({ kind: 'tick', at: 4 })
    run.events({ ...old(), at: 5 })
    expect(run.notices).toEqual([{ kind: 'resends_history', subject: 'a', at: 5, position: 5 }])
    run.events(...many(50, old))
    expect(run.notices.length).toBe(1)
    expect(run.state.clock.sources.get('a')?.resendsHistory).toBe(true)
  })

  test('is not named before 200 events are known', () => {
    const run = begun()
    run.events(...many(198, old))
    expect(run.notices).toEqual([])
    run.events(old())
    expect(kinds(run)).toEqual([['resends_history', 'a']])
  })

  test('moves no watermark by it, and its live events go on counting', () => {
    const run = begun()
    run.events(...many(300, old))
    expect(run.watermark).toBe(NOW - 1)
    run.events(live(NOW + 5))
    expect([run.watermark, run.state.counts.inTime]).toEqual([NOW + 4, 2])
  })

  test('is told to have stopped when half of its last 200 events are live again', () => {
    const run = begun()
    run.events(...many(200, old), ...many(99, live))
    expect(kinds(run)).toEqual([['resends_history', 'a']])
    run.events(live())
    expect(kinds(run)).toEqual([
      ['resends_history', 'a'],
      ['resends_history_over', 'a'],
    ])
  })

  test('is seen by its duplicates as well', () => {
    const run = new Run({ allowedLateness: 20 * DAY })
    run.events(live(), { ts: 1, id: 'again' })
    run.events(...many(200, () => ({ ts: 1, id: 'again' })))
    expect([run.state.counts.duplicate, kinds(run)]).toEqual([200, [['resends_history', 'a']]])
  })
})

describe('an event', () => {
  test('that is a day old to the millisecond is not stale, nor is one that is old but not behind its source', () => {
    const run = begun()
    run.events(...many(200, () => old(NOW - DAY)))
    expect(run.notices).toEqual([])
    const replay = new Run()
    replay.events(...Array.from({ length: 400 }, (_, i) => ({ ts: i, at: NOW })))
    expect(replay.notices).toEqual([])
  })

  test('of another source makes nobody stale', () => {
    const run = begun()
    run.events(...many(200, () => ({ ...old(), source: 'b' })))
    expect(run.notices).toEqual([])
  })
})
