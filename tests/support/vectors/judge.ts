import { differences } from './compare'
import { expectationOf, isInWords, needCompared } from './expectation'
import type { Judged } from './judged'
import { assignKind } from './kinds/assign'
import { combineKind, generatorKind, idleTimerKind } from './kinds/clocks'
import { ingestFilterKind } from './kinds/ingestFilter'
import { invalidConfigKind } from './kinds/invalidConfig'
import { panesKind } from './kinds/panes'
import { releaseKind } from './kinds/release'
import { sessionMergeKind } from './kinds/sessionMerge'
import { windowKind } from './kinds/window'
import { NotOurs, Refused } from './notOurs'
import { onPurpose } from './purposes'
import { type RawVector, readVector, type Vector } from './schema'

export interface Verdict {
  readonly id: string
  readonly verdict: 'ok' | 'FAIL' | 'skip'
  /** What differs, or why it does not apply; empty when ok. */
  readonly detail: string
}

const KINDS: Readonly<Record<string, Kind>> = {
  window: windowKind,
  assign: assignKind,
  'watermark-generator': generatorKind,
  'idle-timer': idleTimerKind,
  combine: combineKind,
  'ingest-filter': ingestFilterKind,
  release: releaseKind,
  'session-merge': sessionMergeKind,
  panes: panesKind,
  'invalid-config': invalidConfigKind,
}

/** Runs one vector through the engine. Never throws: what the engine throws is a failure of it. */
export function judge(raw: RawVector): Verdict {
  const { id } = raw
  try {
    const vector = readVector(raw)
    const kind = KINDS[vector.kind]
    if (!kind) throw new NotOurs(`the kind ${JSON.stringify(vector.kind)} is not one of the schema's`)
    return { id, ...(isInWords(vector) ? notAsUpstream(vector, kind) : asExpected(vector, kind)) }
  } catch (error) {
    if (error instanceof NotOurs) return { id, verdict: 'skip', detail: oneLine(error.message) }
    return { id, verdict: 'FAIL', detail: oneLine(`threw ${String(error)}`) }
  }
}

type Kind = (vector: Vector) => Judged

function asExpected(vector: Vector, kind: Kind): Omit<Verdict, 'id'> {
  const judged = kind(vector)
  if (vector.kind !== 'invalid-config') needCompared(expectationOf(vector), judged.comparisons)
  const different = judged.comparisons.flatMap(differences).join('; ')
  if (different === '') return { verdict: 'ok', detail: '' }
  // What an anti-vector wants is our own rule: nothing excuses another result.
  const purpose = vector.antiVector === true ? null : onPurpose(vector, judged)
  if (purpose === null) return { verdict: 'FAIL', detail: different }
  return { verdict: 'skip', detail: `it differs on purpose: ${purpose} (${different})` }
}

/** An anti-vector in words: all that can be compared is that the engine does not do as upstream, or that it refuses. */
function notAsUpstream(vector: Vector, kind: Kind): Omit<Verdict, 'id'> {
  const wanted = vector.ourExpected === undefined ? 'not said' : JSON.stringify(vector.ourExpected)
  let different: string[]
  try {
    different = kind({ ...vector, antiVector: false }).comparisons.flatMap(differences)
  } catch (error) {
    if (error instanceof Refused && /refus|reject|invalid|error/i.test(wanted))
      return { verdict: 'ok', detail: '' }
    throw error
  }
  if (different.length === 0) {
    return { verdict: 'FAIL', detail: `the engine does as upstream and must not; what we want: ${wanted}` }
  }
  return {
    verdict: 'skip',
    detail: `the engine does not do as upstream, and what we want is no data to compare: ${wanted}`,
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

/** The line of a vector. */
export function lineOf({ id, verdict, detail }: Verdict): string {
  return detail === '' ? `${verdict.padEnd(4)} ${id}` : `${verdict.padEnd(4)} ${id}: ${detail}`
}

/** The last line of a run. */
export function totalsOf(verdicts: readonly Verdict[]): string {
  const count = (verdict: Verdict['verdict']) => verdicts.filter((v) => v.verdict === verdict).length
  return `${count('ok')} passed, ${count('FAIL')} failed, ${count('skip')} skipped`
}
