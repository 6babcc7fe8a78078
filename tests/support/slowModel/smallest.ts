import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import type { Program } from '../program/items'

/**
 * A small program that still fails, for a person to read: what can be left out is left out, first in large pieces.
 * `time` is how many ms it may take.
 */
export function smallest<P extends Program>(program: P, fails: (program: P) => boolean, time = 20_000): P {
  const until = Date.now() + time
  let best = program
  const attempt = (next: P): boolean => {
    if (Date.now() > until || !isProgram(next) || !fails(next)) return false
    best = next
    return true
  }
  for (let before = Number.POSITIVE_INFINITY; best.items.length < before; ) {
    before = best.items.length
    leaveOutItems(() => best, attempt)
    leaveOutParts(() => best, attempt)
  }
  return best
}

function leaveOutItems<P extends Program>(best: () => P, attempt: (next: P) => boolean): void {
  for (
    let size = Math.ceil(best().items.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = best().items.length - size; from > -size; from -= size) {
      const keep = (_: unknown, i: number) => i < from || i >= from + size
      attempt({ ...best(), items: best().items.filter(keep), cuts: best().cuts.filter(keep) })
    }
  }
}

/** Views, sources and settings that the failure does not need. */
function leaveOutParts<P extends Program>(best: () => P, attempt: (next: P) => boolean): void {
  const without = <T>(list: readonly T[] | undefined, i: number) => list?.filter((_, j) => j !== i) ?? []
  for (let i = (best().spec.views?.length ?? 0) - 1; i >= 0; i--) {
    attempt({ ...best(), spec: { ...best().spec, views: without(best().spec.views, i) } })
  }
  for (let i = (best().spec.sources?.length ?? 0) - 1; i >= 0; i--) {
    attempt({ ...best(), spec: { ...best().spec, sources: without(best().spec.sources, i) } })
  }
  const plain = {
    idleTimeout: null,
    closeByInactivity: null,
    maxDrift: null,
    allowedLateness: 0,
    maxSources: 1_000,
  }
  for (const [name, value] of Object.entries({ ...plain, strategy: { kind: 'ascending' as const } })) {
    if (Object.hasOwn(best().spec, name)) attempt({ ...best(), spec: { ...best().spec, [name]: value } })
  }
}

/** A definition that is one, and nothing is sent while the server takes nothing. */
function isProgram({ spec, items }: Program): boolean {
  if (!PipelineSpec.safeParse(spec).success) return false
  let paused = false
  for (const { kind } of items) {
    if (kind === 'paused') paused = true
    if (kind === 'resumed') paused = false
    if (paused && (kind === 'event' || kind === 'mark' || kind === 'reject')) return false
  }
  return true
}
