import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import { inForce } from '../../../support/anyProgram'
import { Run, type SpecInput } from '../../../support/engine'

/** `a` is at 4999; `b`, at 99, holds the pipeline there. */
function begun(over: SpecInput = {}): Run {
  const run = new Run({ sources: [{ name: 'a' }, { name: 'b' }], ...over })
  run.events({ ts: 5000 }, { ts: 100, source: 'b' })
  return run
}
const source = (run: Run, name: string) => run.state.clock.sources.get(name)

describe('a retired source', () => {
  test('holds the watermark no more from the next record on, before that record’s first event', () => {
    const run = begun()
    const { command } = run.command({ kind: 'retireSource', source: 'b' })
    expect(command).toMatchObject({
      kind: 'retireSource',
      refused: null,
      watermarkBefore: 99,
      watermarkAfter: 99,
    })
    expect(run.watermark).toBe(99)
    const { late } = run.events({ ts: 50 })
    expect([run.watermark, late.map((l) => l.watermark)]).toEqual([4999, [4999]])
  })

  test('keeps its counters, and is an undeclared one if it speaks again', () => {
    const run = begun()
    run.command({ kind: 'retireSource', source: 'b' })
    expect([run.state.countsBySource.get('b')?.inTime, source(run, 'b')]).toEqual([1, undefined])
    expect(inForce(run).sources.map((s) => s.name)).toEqual(['a'])
    run.events({ ts: 6000, source: 'b' })
    expect(source(run, 'b')).toMatchObject({ declared: false, watermark: 5999 })
    expect(run.state.countsBySource.get('b')).toMatchObject({ received: 2, inTime: 2 })
  })

  test('leaves a watermark that stands: with none left it does not move', () => {
    const run = begun()
    run.command({ kind: 'retireSource', source: 'a' })
    run.command({ kind: 'retireSource', source: 'b' })
    run.tick(100)
    expect(run.watermark).toBe(99)
  })

  test('is told as what left the definition', () => {
    const { command } = begun().command({ kind: 'retireSource', source: 'b' })
    expect(command?.changes).toEqual(['source b removed'])
  })

  test('may be one that was never declared', () => {
    const run = begun()
    run.events({ ts: 1, source: 'c' })
    run.command({ kind: 'retireSource', source: 'c' })
    expect(source(run, 'c')).toBeUndefined()
  })

  test('that nobody knows is refused', () => {
    const run = begun()
    const { command } = run.command({ kind: 'retireSource', source: 'c' })
    expect(command).toMatchObject({ refused: 'there is no source c', changes: [] })
  })
})

describe('a source that is declared', () => {
  test('counts from its command: it holds the watermark until it speaks or is idle', () => {
    const run = new Run({ idleTimeout: 30 })
    run.events({ ts: 1000, at: 0 })
    const { command } = run.command({ kind: 'declareSource', source: { name: 'new' } }, 10)
    expect(command?.refused).toBeNull()
    run.events({ ts: 2000, at: 11 })
    run.tick(40)
    expect(run.watermark).toBe(999)
    run.tick(41)
    expect(run.watermark).toBe(1999)
    expect(source(run, 'new')).toMatchObject({ declared: true, idle: true })
  })

  test('and spoke before gets its new settings and is declared; the definition in force has it', () => {
    const run = new Run({ idleTimeout: 30 })
    run.events({ ts: 1000, at: 0 })
    const { version } = inForce(run)
    run.command({ kind: 'declareSource', source: { name: 'a', idleTimeout: 5 } }, 1)
    expect(source(run, 'a')).toMatchObject({ declared: true, watermark: 999 })
    expect(inForce(run)).toMatchObject({ version: version + 1, sources: [{ name: 'a', idleTimeout: 5 }] })
    run.tick(6)
    expect(run.state.clock.idleSources()).toEqual(['a'])
  })

  test('with a smaller bound has its watermark, and the pipeline’s, raised at once', () => {
    const run = new Run({ strategy: { kind: 'bounded', bound: 1000 }, sources: [{ name: 'a' }] })
    run.events({ ts: 1500, at: 3 })
    expect(run.watermark).toBe(499)
    const strategy = { kind: 'ascending' } as const
    const { command, revisions } = run.command({ kind: 'declareSource', source: { name: 'a', strategy } }, 7)
    expect(command).toMatchObject({ watermarkBefore: 499, watermarkAfter: 1499 })
    expect(revisions).toEqual([])
    run.events({ ts: 2000, at: 8 })
    expect(run.revisions).toMatchObject([{ start: 1000, at: 8, watermark: 1999 }])
  })

  test('as it is already is refused', () => {
    const run = begun()
    expect(run.command({ kind: 'declareSource', source: { name: 'a' } }).command?.refused).not.toBeNull()
  })
})

describe('a source that is marked idle', () => {
  test('holds the watermark no more, at once, and is left out of what fires', () => {
    const run = begun()
    const { command, revisions } = run.command({ kind: 'markIdle', source: 'b' }, 7)
    expect(command).toMatchObject({ refused: null, watermarkBefore: 99, watermarkAfter: 4999 })
    expect(revisions).toMatchObject([{ kind: 'on-time', start: 0, at: 7, watermark: 4999 }])
    expect(run.row('m', 0)?.leftOut).toEqual(['b'])
  })

  test.each([
    ['an event', (run: Run) => run.events({ ts: 200, source: 'b' })],
    ['a duplicate', (run: Run) => run.events({ ts: 100, source: 'b', id: 'e1' })],
    ['a mark', (run: Run) => run.mark('b', 1)],
    ['an operator', (run: Run) => run.command({ kind: 'markActive', source: 'b' })],
  ])('is active again by %s', (_, wake) => {
    const run = begun({ allowedLateness: 100_000 })
    run.command({ kind: 'markIdle', source: 'b' })
    run.tick(50)
    expect(run.state.clock.idleSources()).toEqual(['b'])
    wake(run)
    expect(run.state.clock.idleSources()).toEqual([])
    run.events({ ts: 9000 })
    expect(run.watermark).toBe(4999)
  })

  test('though no idle timeout is set for it, and a quarantined event does not wake it', () => {
    const run = begun()
    run.command({ kind: 'markIdle', source: 'b' })
    run.reject('b')
    expect([run.state.clock.idleSources(), run.watermark]).toEqual([['b'], 4999])
  })

  test('with all others takes the watermark to the largest of them', () => {
    const run = begun()
    run.command({ kind: 'markIdle', source: 'a' })
    expect(run.watermark).toBe(99)
    run.command({ kind: 'markIdle', source: 'b' })
    expect(run.watermark).toBe(4999)
  })

  test('is refused when it is idle already, unknown, or a test source', () => {
    const run = begun({ sources: [{ name: 'a' }, { name: 'b' }, { name: 'try', test: true }] })
    run.command({ kind: 'markIdle', source: 'b' })
    for (const name of ['b', 'nobody', 'try']) {
      expect(run.command({ kind: 'markIdle', source: name }).command?.refused).not.toBeNull()
    }
  })
})

describe('a source that is marked active', () => {
  test('has a timer that starts with the command', () => {
    const run = begun({ idleTimeout: 10 })
    run.tick(11)
    run.command({ kind: 'markActive', source: 'b' }, 20)
    run.tick(30)
    expect(run.state.clock.idleSources()).toEqual(['a'])
    run.tick(31)
    expect(run.state.clock.idleSources()).toEqual(['a', 'b'])
  })

  test('does not take the watermark back', () => {
    const run = begun({ idleTimeout: 10 })
    run.tick(11)
    run.command({ kind: 'markActive', source: 'b' }, 20)
    expect(run.watermark).toBe(4999)
  })

  test('is refused unless it is idle', () => {
    const run = begun()
    for (const name of ['a', 'nobody']) {
      expect(run.command({ kind: 'markActive', source: name }).command?.refused).not.toBeNull()
    }
  })
})

describe('a command', () => {
  test('is obeyed after time has passed to it: who is idle by then cannot be marked so', () => {
    const run = begun({ idleTimeout: 10 })
    const { command, revisions } = run.command({ kind: 'markIdle', source: 'b' }, 11)
    expect(command).toMatchObject({ refused: expect.any(String), watermarkBefore: 4999 })
    expect(revisions).toMatchObject([{ start: 0, at: 11 }])
  })

  test('to a pipeline without sources finds none', () => {
    const run = new Run()
    expect(run.command({ kind: 'markIdle', source: 'a' }).command?.refused).not.toBeNull()
    expect(run.watermark).toBe(MIN_INSTANT)
  })
})
