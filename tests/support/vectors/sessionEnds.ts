import type { Fact } from './compare'
import type { WindowRun } from './windowRun'

/**
 * A session ends a gap after its last event, in ours; Kafka Streams and Bytewax write the last event itself, Quix a ms
 * behind it. How a vector writes it is told by its own ends. Returns what must be added to ours, ms.
 */
export function sessionEndShift(
  run: Pick<WindowRun, 'window' | 'elements' | 'steps' | 'dialect'>,
  facts: readonly Fact[],
): number {
  if (run.window.kind !== 'session') return 0
  const gap = Number(run.window.gap)
  const times = new Set(run.elements.map(({ ts }) => ts))
  // By processing time an element's time is when it is processed.
  for (const step of run.steps) if (step.kind === 'processingTime') times.add(step.to)
  const ends = facts.map(({ end }) => Number(end))
  const tails = run.dialect.streamTime ? [0, 1, gap] : [gap, 0, 1]
  const tail = tails.find((after) => ends.every((end) => times.has(end - after)))
  return tail === undefined ? 0 : tail - gap
}
