import fc from 'fast-check'
import { type PipelineProgram, type Program, pipelineProgram, recordsOf } from './program'
import { smallest } from './slowModel/smallest'

/** ms that may go into finding a smaller program; a test has 30 s. */
const SMALLER_FOR = 10_000

/** Something that must hold for a program; `random` is a sequence of its own, the same for smaller ones. */
export type Claim<P extends Program = PipelineProgram> = (program: P, random: () => number) => void

/** Programs that a property looks at; more of them for a night. */
export const RUNS = Number(process.env.TIDEMARK_RUNS ?? 60)

/**
 * Checks a claim for random programs over pipelines of all shapes. Fails with a small program for which it does not
 * hold and with what it said there: fast-check's own shrinking of hundreds of steps takes minutes.
 */
export function everyProgram(most: number, claim: Claim, numRuns = RUNS): void {
  every(pipelineProgram(most), claim, numRuns)
}

/** `everyProgram` for programs of one's own. */
export function every<P extends Program>(programs: fc.Arbitrary<P>, claim: Claim<P>, numRuns = RUNS): void {
  const property = fc.property(programs, fc.nat(), (program, seed) => holds(program, seed, claim))
  // Programs of a night may take their time; others are cut off after a minute (program/bounded.ts).
  const limit = process.env.TIDEMARK_RUNS ? { interruptAfterTimeLimit: 3_600_000 } : {}
  fc.assert(property, { numRuns, endOnFailure: true, ...limit })
}

function holds<P extends Program>(program: P, seed: number, claim: Claim<P>): void {
  if (failure(program, seed, claim) === null) return
  const small = smallest(program, (p) => failure(p, seed, claim) !== null, SMALLER_FOR)
  const why = failure(small, seed, claim)?.error
  const text = `${inWords(small)}\n${why instanceof Error ? why.message : String(why)}`
  throw new Error(text, { cause: why })
}

function failure<P extends Program>(program: P, seed: number, claim: Claim<P>): { error: unknown } | null {
  try {
    claim(program, sequence(seed))
    return null
  } catch (error) {
    return { error }
  }
}

/** A program as a person reads it: a record a line. */
function inWords(program: Program): string {
  const records = recordsOf(program.items, program.cuts)
  return [program.spec, ...records].map((part) => JSON.stringify(part)).join('\n')
}

/** Numbers from 0 to 1 (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
