import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spec } from '../../support/engine'
import { type PipelineProgram, pipelineProgram, recordsOf } from '../../support/program'
import { writtenOut } from '../../support/program/changes'
import { SlowModel } from '../../support/slowModel/model'

const HOUR = 3_600_000
const both = (kinds: string[], ...words: string[]) =>
  kinds.flatMap((kind) => words.map((w) => `${kind} ${w}`))

/** What the comparison would be worth little without. Names are those that the model notes down as it goes. */
const STATES = [
  ...['inTime', 'corrected', 'late', 'duplicate', 'quarantined', 'conflict', 'test', 'overflow', 'missed'],
  ...['on-time', 'correction', 'correction from zero', 'superseded', 'inactivity', 'born fired', 'late by 0'],
  ...['reached after inactivity', 'on-time after inactivity', 'closed with a correction untold'],
  ...['sessions merged', 'fired sessions merged', 'published sessions taken back', 'swallowed untold'],
  ...['held open by a base window', 'journal view'],
  ...['idle', 'all idle', 'came back', 'test source idle', 'paused', 'resumed', 'resumed unpaused'],
  ...['mark', 'mark of another strategy', 'bound rose', 'bound fell'],
  ...['resends_history', 'resends_history_over', 'drift_over_limit', 'drift_over', 'sources_over_cap'],
  ...['test source', 'turned into a test source', 'turned into a counted source', 'retired by a change'],
  ...both(['strategy'], 'bounded', 'ascending', 'punctuated', 'adaptive'),
  ...both(['setStrategy', 'declareSource', 'retireSource', 'forceWatermark'], 'done', 'refused'),
  ...both(['markIdle', 'markActive', 'changeSpec'], 'done', 'refused'),
  ...both(['small, many', 'small, single', 'calendar, many', 'calendar, single'], 'told'),
  ...both(['tumbling', 'sliding', 'cumulate', 'session', 'day', 'week', 'month'], 'fired'),
  ...['a day of 23 hours', 'a day of 25 hours'],
]

/** Names of what one program came by. */
function reachedBy(program: PipelineProgram): Set<string> {
  const { state, ...model } = run(program)
  const reached = new Set([...state.reached, ...(model.told > 0 ? [`${program.shape} told`] : [])])
  for (const view of state.views) {
    const { window, time } = state.spec.views.find((v) => v.id === view.id) ?? {}
    const kind = window?.kind === 'calendar' ? window.unit : window?.kind
    const fired = view.all.filter((win) => win.fired)
    if (fired.length > 0 && time === 'event') reached.add(`${kind} fired`)
    if (kind !== 'day') continue
    for (const hours of [23, 25]) {
      if (fired.some((win) => win.end - win.start === hours * HOUR)) reached.add(`a day of ${hours} hours`)
    }
  }
  return reached
}

function run(program: PipelineProgram) {
  const model = new SlowModel(spec(program.spec), program.start)
  let told = 0
  for (const record of recordsOf(program.items, program.cuts)) {
    const written = record.map((item) => writtenOut(item, model.state.spec))
    told += model.take(written).revisions.length
  }
  return { state: model.state, told }
}

test('random programs reach every state that engine and model are compared in', () => {
  const programs = fc.sample(pipelineProgram(2_500), { seed: 20, numRuns: 60 })
  const reached = new Map<string, number>()
  for (const program of programs) {
    for (const name of reachedBy(program)) reached.set(name, (reached.get(name) ?? 0) + 1)
  }
  expect(STATES.filter((name) => !reached.has(name))).toEqual([])
})
