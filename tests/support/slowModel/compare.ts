import { Run } from '../engine'
import { writtenOut } from '../program/changes'
import { fold, type Item, type Program, recordsOf } from '../program/items'
import { SlowModel } from './model'
import {
  heard,
  revisionLines,
  revisionOf,
  rowsOfEngine,
  rowsOfModel,
  stateOfEngine,
  stateOfModel,
  toldByEngine,
  toldByModel,
} from './told'

/** Where the engine and the model part for the first time. */
export interface Difference {
  /** Number of the record, from 0, and what it held. */
  readonly index: number
  readonly record: readonly Item[]
  readonly engine: unknown
  readonly model: unknown
}

/** All rows are many: they are compared now and then, and at the end. */
const ROWS_EVERY = 100

/** Folds a program in both, record by record; null where they agree at every step and in the rows. */
export function firstDifference(program: Program, restartEvery = 0): Difference | null {
  const run = new Run(program.spec, program.start)
  const model = new SlowModel(run.spec, program.start)
  const overflowed = new Set<string>()
  const records = recordsOf(program.items, program.cuts)
  for (const [index, items] of records.entries()) {
    const record = items.map((item) => writtenOut(item, model.state.spec))
    if (restartEvery > 0 && index % restartEvery === restartEvery - 1) run.restart()
    const { engine, expected } = takeBoth(run, model, record, overflowed)
    if (differ(engine, expected)) return { index, record, engine, model: expected }
    if (index % ROWS_EVERY !== 0 && index < records.length - 1) continue
    const rows = { engine: rowsOfEngine(run), model: rowsOfModel(model.state) }
    if (differ(rows.engine, rows.model)) return { index, record, ...rows }
  }
  return null
}

function takeBoth(run: Run, model: SlowModel, record: readonly Item[], overflowed: Set<string>) {
  const told = model.take(record)
  const moments = told.revisions.map((r) => r.moment)
  const expected = {
    ...toldByModel(told),
    ...stateOfModel(model.state),
    revisions: revisionLines(told.revisions, moments),
    keysOverCap: told.overflowed.filter((view) => !overflowed.has(view)).length > 0,
  }
  const before = heard(run)
  try {
    const outcome = fold(run, record)
    const said = outcome.notices.filter((n) => n.kind === 'keys_over_cap').map((n) => n.subject)
    const firstTime = said.some((view) => told.overflowed.includes(view) && !overflowed.has(view))
    for (const view of told.overflowed) overflowed.add(view)
    const engine = {
      ...toldByEngine(run, record, outcome, before),
      ...stateOfEngine(run),
      revisions: revisionLines(outcome.revisions.map(revisionOf), moments),
      keysOverCap: firstTime,
    }
    return { engine, expected }
  } catch (error) {
    return { engine: String(error instanceof Error ? error.stack : error), expected }
  }
}

function differ(a: unknown, b: unknown): boolean {
  return asText(a) !== asText(b)
}

/** JSON has no infinities. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v))
}
