import { describe, expect, it } from 'vitest'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { SourceStatus } from '@/server/contracts/status'
import { pipelineStatus } from '@/server/runner/status'
import { Run, type SpecInput } from '@/tests/support/engine'

const facts = {
  now: 0,
  journaled: 0,
  committed: 0,
  databaseAt: 0,
  catchingUp: false,
  standby: null,
  backfill: null,
  trouble: null,
}
const statusOf = (run: Run) => pipelineStatus(run.state, facts)
const source = (run: Run, name: string): SourceStatus => {
  const found = statusOf(run).sources.find((s) => s.name === name)
  if (!found) throw new Error(`no source ${name}`)
  return found
}
/** Three sources at 10, 4 and 4 s; the last one is a test source. */
const three = (over: SpecInput = {}) => {
  const run = new Run({
    sources: [
      { name: 'a', strategy: { kind: 'bounded', bound: 500 }, pulled: true },
      { name: 'b', strategy: { kind: 'ascending' } },
      { name: 'c', test: true },
    ],
    ...over,
  })
  run.events(
    { source: 'a', ts: 10_000, at: 1 },
    { source: 'b', ts: 4_000, at: 2 },
    { source: 'c', ts: 4_000, at: 3 },
  )
  return run
}

describe('the status of a source', () => {
  it('has its strategy and the bound in force; a punctuated one has none, a new adaptive one its first', () => {
    const run = three()
    expect(source(run, 'a')).toMatchObject({ strategy: 'bounded', bound: 500 })
    expect(source(run, 'b')).toMatchObject({ strategy: 'ascending', bound: 0 })
    run.command({ kind: 'setStrategy', source: 'a', strategy: { kind: 'punctuated' } })
    run.command({ kind: 'setStrategy', source: 'b', strategy: { kind: 'adaptive', initial: 30_000 } })
    expect(source(run, 'a')).toMatchObject({ strategy: 'punctuated', bound: null })
    expect(source(run, 'b')).toMatchObject({ strategy: 'adaptive', bound: 30_000 })
  })

  it('says how far it is ahead of the slowest active source that counts, and who that is', () => {
    const run = three()
    expect(source(run, 'a')).toMatchObject({ watermark: 9_499, drift: 5_500, holdsBack: false })
    expect(source(run, 'b')).toMatchObject({ watermark: 3_999, drift: 0, holdsBack: true })
  })

  it('a test source is shown, and never holds anybody back', () => {
    const run = three()
    run.events({ source: 'c', ts: 4_000, at: 4 })
    const test = source(run, 'c')
    expect(test).toMatchObject({ isTest: true, test: 2, received: 0, holdsBack: false })
    expect(source(run, 'a').isTest).toBe(false)
  })

  it('an idle source holds nobody back', () => {
    const run = three()
    run.command({ kind: 'markIdle', source: 'b' })
    expect(source(run, 'b')).toMatchObject({ state: 'idle', holdsBack: false, idleAt: null })
    expect(source(run, 'a')).toMatchObject({ drift: 0, holdsBack: true })
  })

  it('alignment that would have it wait is said', () => {
    expect(source(three({ maxDrift: 5_000 }), 'a').wouldPause).toBe(true)
    expect(source(three({ maxDrift: 6_000 }), 'a').wouldPause).toBe(false)
  })

  it('a retired source keeps its counters and has no clock; one that only failed checks never was one', () => {
    const run = three()
    run.command({ kind: 'retireSource', source: 'a' })
    run.reject('new')
    expect(source(run, 'a')).toMatchObject({
      state: 'retired',
      received: 1,
      watermark: null,
      drift: null,
      bound: null,
    })
    expect(source(run, 'new')).toMatchObject({ state: 'never', quarantined: 1 })
  })
})

describe('the status of the pipeline', () => {
  it('counts the windows of the base view, and says what its parts take', () => {
    const run = three({ allowedLateness: 60_000 })
    // W is 3,999: nothing fired. Then 20,000: two windows fire, none closes.
    expect(statusOf(run)).toMatchObject({ openWindows: 2, firedWindows: 0 })
    run.command({ kind: 'retireSource', source: 'b' })
    run.events({ source: 'a', ts: 20_501, at: 5 })
    expect(statusOf(run)).toMatchObject({ openWindows: 1, firedWindows: 2, liveIds: 3 })
    const { state } = statusOf(run)
    expect(state.total).toBe(state.ids + state.distinct + state.rows + state.keys + state.sources)
    expect(state.ids).toBeGreaterThan(0)
  })

  it('before the first record it is empty, and no reason to fail', () => {
    const run = new Run()
    expect(statusOf(run)).toMatchObject({ sources: [], liveIds: 0, warnings: expect.any(Array) })
    expect(statusOf(run).maxLiveIds).toBe(PipelineSpec.parse(run.spec).maxLiveIds)
  })
})
