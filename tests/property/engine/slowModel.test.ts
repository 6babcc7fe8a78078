import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PipelineProgram, type Program, pipelineProgram } from '../../support/program'
import { firstDifference } from '../../support/slowModel/compare'
import { smallest } from '../../support/slowModel/smallest'
import { CASES, programOf } from './slowModel.cases'

/** Long programs a run of the test folds; more of them for a night. */
const RUNS = Number(process.env.TIDEMARK_RUNS ?? 60)
const LONG = 3_000
const SHORT = 80

/** Fails with a small program in which the two part, and with what each of them said there. */
function compare(program: Program, restartEvery = 0): void {
  if (firstDifference(program, restartEvery) === null) return
  const small = smallest(program, (p) => firstDifference(p, restartEvery) !== null)
  const difference = firstDifference(small, restartEvery)
  const { spec, items, cuts } = small
  const lines = items.map((item, i) => `${cuts[i] ? '/' : ' '} ${JSON.stringify(item)}`)
  const said = `${JSON.stringify(spec)}\n${lines.join('\n')}\nrecord ${difference?.index}`
  expect(difference?.engine, said).toEqual(difference?.model)
}

/** Ours is the smaller program, so fast-check need not look for one. */
function agree(most: number, params: fc.Parameters<[PipelineProgram]>, restartEvery = 0): void {
  const property = fc.property(pipelineProgram(most), (program) => compare(program, restartEvery))
  fc.assert(property, { endOnFailure: true, interruptAfterTimeLimit: 3_600_000, ...params })
}

describe('the engine and a slow model of the same rules', () => {
  test('agree after every record of short programs', () => {
    agree(SHORT, { numRuns: RUNS * 10 })
  }, 3_600_000)

  test('agree after every record of long programs', () => {
    agree(LONG, { numRuns: RUNS })
  }, 3_600_000)

  test('agree after every record when the engine is restarted between them', () => {
    agree(LONG / 10, { numRuns: RUNS }, 7)
  }, 3_600_000)

  test.for(CASES)('agree where they once did not: $showed', (each) => {
    compare(programOf(each))
  })
})
