import { describe, expect, test } from 'vitest'
import { inForce } from '../../support/anyProgram'
import { Run, tumbling } from '../../support/engine'

describe('46. a setting without effect', () => {
  const begun = () => {
    const run = new Run({ strategy: { kind: 'bounded', bound: 10 } })
    run.events({ ts: 500 })
    return run
  }

  test('is refused, in words: what is in force already, a source that nobody knows, other windows to judge by', () => {
    const run = begun()
    const { command: same } = run.command({ kind: 'changeSpec', spec: inForce(run) })
    const { command: nobody } = run.command({ kind: 'setStrategy', source: 'pos-9', idleTimeout: 5 })
    const views = inForce(run).views.map((view) => ({ ...view, window: { ...tumbling(7_000) } }))
    const { command: view } = run.command({ kind: 'changeSpec', spec: { ...inForce(run), views } })
    for (const command of [same, nobody, view]) {
      expect([command?.refused?.length, command?.changes]).not.toEqual([0, []])
      expect([typeof command?.refused, command?.changes]).toEqual(['string', []])
    }
    expect(nobody?.refused).toContain('pos-9')
    expect(view?.refused).toContain('decide what is late')
  })

  test('does not pass for one with an effect: what holds is what the definition in force says, and is told', () => {
    const run = begun()
    const { command } = run.command({ kind: 'setStrategy', source: null, strategy: { kind: 'ascending' } })
    expect([command?.refused, command?.changes.length]).toEqual([null, 1])
    expect(inForce(run).strategy).toEqual({ kind: 'ascending' })
    expect(run.state.clock.sources.get('a')?.bound).toBe(0)
  })
})
