import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { boundOf, idleTimeoutOf } from '../clocking'
import { msOf } from '../instants'
import type { Judged } from '../judged'
import { NotOurs } from '../notOurs'
import { ONLY, specInput } from '../pipeline'
import type { Loose, Vector } from '../schema'
import { windowOf } from '../windows'

/** Definitions each of which must be refused: the pipeline's own check must name a field that the vector gives. */
export function invalidConfigKind({ invalid, config }: Vector): Judged {
  const entries = invalid ?? [config]
  const expected = entries.map((entry) => ({ definition: JSON.stringify(entry), refused: true }))
  const actual = entries.map((entry) => ({ definition: JSON.stringify(entry), refused: isRefused(entry) }))
  return { comparisons: [{ sort: 'definition', expected, actual }], steps: [], elements: [], lanes: [] }
}

function isRefused(entry: Loose): boolean {
  const window = (entry.window ?? ('type' in entry ? entry : undefined)) as Loose | undefined
  const lateness = msOf(entry, 'allowedLatenessMs', 'graceMs')
  const bound = boundOf(entry)
  const idleTimeout = idleTimeoutOf(entry)
  if (!window && lateness === undefined && bound === undefined && idleTimeout === null) {
    throw new NotOurs(`a definition of which we have no part: ${JSON.stringify(entry)}`)
  }
  const spec = PipelineSpec.safeParse(
    specInput({
      window: window ? windowOf(window) : { kind: 'tumbling', size: 1_000 },
      lateness: lateness ?? 0,
      strategy: bound === undefined ? { kind: 'punctuated' } : { kind: 'bounded', bound },
      idleTimeout,
      sources: [ONLY],
    }),
  )
  return !spec.success
}
