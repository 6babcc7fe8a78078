import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { PipelineSpec } from '../../server/contracts/pipelineSpec'
import type { StepOutcome } from '../../server/engine/outcome'
import type { Row } from '../../server/engine/row'
import { Run } from './engine'
import { fold, type Item, type Program, recordsOf } from './program'
import { writtenOut } from './program/changes'

/** The definition in force, which commands of the program may have changed. */
export function inForce(run: Run): PipelineSpec {
  return run.state.pipeline?.spec ?? run.spec
}

/** Folds one record of a program; a change is written out against the definition in force. */
export function take(run: Run, record: readonly Item[]): StepOutcome {
  return fold(
    run,
    record.map((item) => writtenOut(item, inForce(run))),
  )
}

/** Folds a program record by record and looks at the engine after each. */
export function watch(
  program: Program,
  look: (run: Run, record: readonly Item[], outcome: StepOutcome) => void,
): Run {
  const run = new Run(program.spec, program.start)
  for (const record of recordsOf(program.items, program.cuts)) look(run, record, take(run, record))
  return run
}

/** The same program with every item a record of its own. */
export function oneARecord<P extends Program>(program: P): P {
  return { ...program, cuts: program.items.map(() => true) }
}

/** The rows that a record touched, with whether they are written at once or wait with the totals of open windows. */
export function touchedRows({ touched }: StepOutcome): { row: Row; published: boolean }[] {
  return touched.flatMap(({ group, ordinals }) =>
    ordinals.map((i) => ({ row: group.row(i), published: group.isPublished(i) })),
  )
}

/** A row's name among all rows of all views. */
export function nameOf(row: {
  view: string
  windowId: number
  currency: string
  dims: readonly (string | null)[]
}): string {
  return `${row.view}@${row.windowId} ${JSON.stringify([row.currency, ...row.dims])}`
}

/** `toEqual`, which takes its time, only where the two differ: most of a property's comparisons find nothing. */
export function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
