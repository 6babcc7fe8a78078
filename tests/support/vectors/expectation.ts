import type { Comparison, Fact } from './compare'
import { NotOurs } from './notOurs'
import type { Loose, Vector } from './schema'

/** What a vector expects of us, by the sort of fact. */
export interface Expectation {
  readonly facts: readonly Loose[]
  /** undefined: the vector does not say. */
  readonly late: readonly Loose[] | undefined
}

/** Fields of the facts of each sort; the first one tells the sort. Notes are for people. */
const FIELDS = {
  pane: ['pane', 'key', 'values', 'value', 'start', 'end', 'atStep'],
  firing: ['start', 'key', 'end', 'value', 'values', 'timing', 'atStep'],
  watermark: ['watermark', 'atStep'],
  status: ['status', 'atStep'],
  windows: ['windows', 'atStep'],
  kept: ['kept', 'atStep'],
  released: ['released', 'atStep'],
  sessions: ['sessions', 'key', 'atStep'],
} as const
export type Sort = keyof typeof FIELDS
const NOTES = ['note', 'comment', '$comment']

/** Whether an anti-vector says in words only what we want. */
export function isInWords({ antiVector, ourExpected }: Vector): boolean {
  return antiVector === true && (typeof ourExpected !== 'object' || ourExpected === null)
}

/** Of an anti-vector what we want, never what upstream does. Throws NotOurs for what the schema does not name. */
export function expectationOf(vector: Vector): Expectation {
  if (vector.antiVector !== true) return checked(vector.expected, lateOf(vector, vector.lateSideOutput))
  const ours = vector.ourExpected
  if (Array.isArray(ours)) return checked(ours as Loose[], undefined)
  const { expected, lateSideOutput } = ours as { expected?: Loose[]; lateSideOutput?: Loose[] }
  return Array.isArray(expected) ? checked(expected, lateSideOutput) : checked([ours as Loose], undefined)
}

/** What is dropped leaves no trace upstream, so an empty list of it says nothing. */
function lateOf({ config }: Vector, late: readonly Loose[] | undefined): readonly Loose[] | undefined {
  return late?.length === 0 && config.latePolicy !== 'side-output' ? undefined : late
}

function checked(facts: readonly Loose[], late: readonly Loose[] | undefined): Expectation {
  for (const fact of facts) {
    const known: readonly string[] = FIELDS[sortOf(fact)]
    const strange = Object.keys(fact).find((field) => !known.includes(field) && !NOTES.includes(field))
    if (strange) throw new NotOurs(`it expects a ${JSON.stringify(strange)}, which the schema does not name`)
  }
  return { facts, late }
}

function sortOf(fact: Loose): Sort {
  for (const sort of Object.keys(FIELDS) as Sort[]) if (fact[FIELDS[sort][0]] !== undefined) return sort
  throw new NotOurs(`it expects what the schema does not name: ${JSON.stringify(fact)}`)
}

/** Throws NotOurs when a sort of facts that the vector expects was not compared: to pass would mean nothing. */
export function needCompared({ facts, late }: Expectation, comparisons: readonly Comparison[]): void {
  const compared = new Set(comparisons.map(({ sort }) => sort))
  const sorts: string[] = facts.map(sortOf)
  if (late !== undefined && late.length > 0) sorts.push('late')
  const left = sorts.find((sort) => !compared.has(sort))
  if (left) throw new NotOurs(`it expects ${left} facts, which its kind has not`)
}

/** Facts of one sort, without their notes. */
export function ofSort({ facts }: Expectation, sort: Sort): readonly Fact[] {
  return facts
    .filter((fact) => sortOf(fact) === sort)
    .map((fact) => Object.fromEntries(Object.entries(fact).filter(([field]) => !NOTES.includes(field))))
}
