import { describe, expect, test } from 'vitest'
import { Run, type SpecInput, tumbling } from '../../../support/engine'

/** Two sources, `b` ahead of `a`; both spoke at 0 and are idle after 10. */
function begun(over: SpecInput = {}): Run {
  const run = new Run({ idleTimeout: 10, sources: [{ name: 'a' }, { name: 'b' }], ...over })
  run.events({ ts: 100, at: 0 }, { ts: 5000, source: 'b', at: 0 })
  return run
}
const idle = (run: Run) => run.state.clock.idleSources()

describe('while the server takes nothing', () => {
  test('nobody turns idle, however long it lasts and however many ticks come', () => {
    const run = begun()
    run.paused(4)
    for (const at of [10, 11, 500, 90_000]) run.tick(at)
    expect([idle(run), run.watermark]).toEqual([[], 99])
  })

  test('timers stand still: what was left of them runs on after it', () => {
    const run = begun()
    run.paused(4)
    run.tick(2000)
    run.resumed(4, 5000)
    run.tick(5006)
    expect(idle(run)).toEqual([])
    run.tick(5007)
    expect([idle(run), run.watermark]).toEqual([['a', 'b'], 4999])
  })

  test('who was idle stays so', () => {
    const run = begun()
    run.events({ ts: 5100, source: 'b', at: 9 })
    run.paused(15)
    run.resumed(15, 1000)
    expect([idle(run), run.watermark]).toEqual([['a'], 5099])
    run.tick(1004)
    expect(idle(run)).toEqual(['a'])
    run.tick(1005)
    expect(idle(run)).toEqual(['a', 'b'])
  })

  test('who had run out by then is idle from the paused record on', () => {
    const run = begun()
    run.paused(11)
    expect([idle(run), run.watermark]).toEqual([['a', 'b'], 4999])
  })

  test('the paused record counts, not what the resumed one says of it', () => {
    const run = begun()
    run.paused(4)
    run.resumed(9, 1000)
    run.tick(1006)
    expect(idle(run)).toEqual([])
    run.tick(1007)
    expect(idle(run)).toEqual(['a', 'b'])
  })

  test('a source that an operator marks active there has its timer start where the server is back', () => {
    const run = begun()
    run.command({ kind: 'markIdle', source: 'a' }, 1)
    run.paused(4)
    run.command({ kind: 'markActive', source: 'a' }, 500)
    run.resumed(4, 1000)
    run.tick(1010)
    expect(idle(run)).toEqual(['b'])
    run.tick(1011)
    expect(idle(run)).toEqual(['a', 'b'])
  })

  test('the silence that closes windows does not grow', () => {
    const run = begun({ idleTimeout: null, closeByInactivity: 100 })
    run.paused(50)
    run.tick(5000)
    run.resumed(50, 9000)
    run.tick(9050)
    expect(run.revisions).toEqual([])
    run.tick(9051)
    expect(run.revisions.map((r) => [r.kind, r.start])).toEqual([
      ['inactivity', 0],
      ['inactivity', 5000],
    ])
  })

  test('views by journal time go on: they know no other clock', () => {
    const views = [
      { id: 'm', window: tumbling(1000) },
      { id: 'j', window: tumbling(1000), time: 'journal' as const },
    ]
    const run = begun({ views })
    run.paused(4)
    run.tick(999)
    expect(run.revisions).toEqual([])
    run.tick(1000)
    expect(run.revisions).toMatchObject([{ view: 'j', start: 0, kind: 'on-time', at: 1000 }])
  })

  test('a restart of the program changes nothing of all that', () => {
    const run = begun()
    run.paused(4)
    run.restart()
    run.tick(2000)
    run.restart()
    run.resumed(4, 5000)
    run.tick(5006)
    expect(idle(run)).toEqual([])
    run.tick(5007)
    expect(idle(run)).toEqual(['a', 'b'])
  })
})
