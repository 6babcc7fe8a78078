import { MIN_INSTANT } from '@/server/contracts/instant'
import { dialectOf } from '../dialect'
import { msOf } from '../instants'
import type { Judged } from '../judged'
import type { Loose, Vector } from '../schema'
import { type Element, elementsOf } from '../steps'
import { isProcessingTime } from '../windowRun'
import { isSession } from './sessions'

/** An element that is older than the watermark, and whose window is not closed: ours counts it (semantics.md §9). */
export function droppedByElement(vector: Vector, { lanes, steps }: Judged): string | null {
  const drops = vector.dialect === 'risingwave' || (vector.dialect === 'bytewax' && isSession(vector))
  if (!drops || isProcessingTime(vector.config)) return null
  const counted = lanes.some(({ seen }) =>
    steps.some((step, i) => {
      const before = seen[i - 1]?.watermark ?? MIN_INSTANT
      const late = new Set(seen[i]?.late.map(({ element }) => element.ordinal))
      const old = ({ ts, ordinal }: Element) => ts <= before && !late.has(ordinal)
      return elementsOf([step]).some(old)
    }),
  )
  return counted ? 'what is older than the watermark is dropped there; ours is judged by its window' : null
}

export function maximumWhenAllIdle({ dialect }: Vector, { lanes }: Judged): string | null {
  if (!dialectOf(dialect).exclusive) return null
  const rose = lanes.some(({ seen }) =>
    seen.some(({ idle, watermark }, i) => idle && watermark > (seen[i - 1]?.watermark ?? MIN_INSTANT)),
  )
  return rose ? 'when all sources are idle our watermark is the largest of theirs' : null
}

/** In Flink's valve a channel that comes back behind is not waited for, and an idle one is not heard. */
export function valve({ dialect }: Vector, { steps, lanes }: Judged): string | null {
  if (dialect !== 'flink-valve') return null
  const idle = new Set<string | null>()
  const own = new Map<string | null, number>()
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'idle') idle.add(step.partition)
    if (step.kind === 'watermark') {
      if (idle.has(step.partition)) return 'an idle channel is not heard there; ours is active when it speaks'
      own.set(step.partition, step.to)
    }
    if (step.kind !== 'active' || !idle.delete(step.partition)) continue
    const reached = lanes[0]?.seen[i - 1]?.watermark ?? MIN_INSTANT
    if ((own.get(step.partition) ?? MIN_INSTANT) < reached)
      return 'a channel that comes back behind is not waited for; ours holds the watermark where it is'
  }
  return null
}

export function smallestOfBatch({ kind, dialect }: Vector, { steps }: Judged): string | null {
  if (kind !== 'watermark-generator' || dialect !== 'arroyo') return null
  const batch = steps.some((step) => step.kind === 'batch' && elementsOf([step]).length > 1)
  return batch ? 'the watermark follows the smallest time of a batch there; ours each event' : null
}

export function largestOfPartitions({ kind, dialect, config }: Vector): string | null {
  if (kind !== 'combine') return null
  const largest = /kafka|quix/.test(dialect) || /max/i.test(String(config.policy ?? config.mode ?? ''))
  return largest ? 'time is that of the partition that is furthest there; ours is that of the slowest' : null
}

/** Flink's timer of a window by processing time is set to its last ms; ours ends at its end. */
export function processingBorder({ dialect, config }: Vector, judged: Judged): string | null {
  if (!dialect.startsWith('flink') || !isProcessingTime(config)) return null
  const size = msOf(config.window as Loose, 'sizeMs')
  const told = judged.comparisons.flatMap(({ expected }) => expected)
  const border = told.some(({ start, end, atStep }) => {
    const step = judged.steps[Number(atStep)]
    return step?.kind === 'processingTime' && step.to + 1 === end && Number(end) - Number(start) === size
  })
  return border ? 'a window by processing time fires at its last ms there; ours when its end is there' : null
}
