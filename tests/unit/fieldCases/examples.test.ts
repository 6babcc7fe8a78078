import { describe, expect, test } from 'vitest'
import { Run, tumbling } from '../../support/engine'

const at = (time: string) => Date.parse(`2026-05-04T${time}Z`)

describe('worked examples', () => {
  test('three sources at 10:00:10, 10:00:15 and 10:00:08 with a bound of 5 s: W is a millisecond before 10:00:03', () => {
    const run = new Run({ strategy: { kind: 'bounded', bound: 5_000 } })
    const sources = ['a', 'b', 'c'].map((name) => ({ name }))
    const declared = new Run({ strategy: { kind: 'bounded', bound: 5_000 }, sources })
    const last = [
      { source: 'a', ts: at('10:00:10.000') },
      { source: 'b', ts: at('10:00:15.000') },
      { source: 'c', ts: at('10:00:08.000') },
    ]
    declared.oneByOne(...last)
    expect(declared.watermark).toBe(at('10:00:02.999'))
    // Undeclared ones join with their first event: until the last one has, it cannot hold the watermark.
    run.oneByOne(...last)
    expect(run.watermark).toBe(at('10:00:04.999'))
  })

  test('two sources, the slower at 2000, 4000, 7000, 8000 and 10500: a window of 10 s fires at the last step only', () => {
    const run = new Run({
      views: [{ id: 'v', window: tumbling(10_000) }],
      sources: [{ name: 'f' }, { name: 's' }],
    })
    const steps = [
      [3000, 2000],
      [6000, 4000],
      [9000, 7000],
      [11_000, 8000],
      [12_000, 10_500],
    ]
    const seen = steps.map(([f = 0, s = 0]) => {
      const outcomes = run.oneByOne({ ts: f, source: 'f' }, { ts: s, source: 's' })
      return [run.watermark, outcomes.map((o) => o.revisions.length)]
    })
    expect(seen).toEqual([
      [1999, [0, 0]],
      [3999, [0, 0]],
      [6999, [0, 0]],
      [7999, [0, 0]],
      [10_499, [0, 1]],
    ])
    expect(run.revisions).toMatchObject([{ start: 0, end: 10_000, after: { events: 7 }, watermark: 10_499 }])
  })
})
