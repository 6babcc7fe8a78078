import type { z } from 'zod'
import type { WindowSpec } from '@/server/contracts/windowSpec'
import { msOf } from './instants'
import { NotOurs } from './notOurs'
import type { Loose } from './schema'
import type { Element } from './steps'

export type WindowInput = z.input<typeof WindowSpec>

/** A vector's window as ours. Throws NotOurs for one that we have not; what we refuse is left to the spec to refuse. */
export function windowOf(raw: unknown): WindowInput {
  if (typeof raw !== 'object' || raw === null) throw new NotOurs('no window is given')
  const window = raw as Loose
  const needed = (name: string) => {
    const value = msOf(window, name)
    if (value === undefined) throw new NotOurs(`a ${String(window.type)} window without ${name}`)
    return value
  }
  const align = msOf(window, 'alignToMs')
  const offset = msOf(window, 'offsetMs') ?? (align === undefined ? 0 : align % needed('sizeMs'))
  switch (window.type) {
    case 'tumbling':
      return { kind: 'tumbling', size: needed('sizeMs'), offset }
    case 'sliding':
      if (window.slideMs === undefined)
        throw new NotOurs('a sliding window without a slide has a window for each event; ours slide by steps')
      return { kind: 'sliding', size: needed('sizeMs'), slide: needed('slideMs'), offset }
    case 'cumulate': {
      const within = { kind: 'tumbling', size: needed('sizeMs'), offset } as const
      return { kind: 'cumulate', step: needed('stepMs'), within }
    }
    case 'session':
      return { kind: 'session', gap: needed('gapMs') }
    case 'global':
      throw new NotOurs('a global window never ends; all our windows do')
    default:
      throw new NotOurs(`the window type ${JSON.stringify(window.type)} is not one of the schema's`)
  }
}

/** Sessions of ours have one gap a view. Throws NotOurs when an element has another. */
export function needOneGap(raw: unknown, elements: readonly Element[]): void {
  const gap = msOf((raw ?? {}) as Loose, 'gapMs')
  const other = elements.find((element) => element.gap !== null && element.gap !== gap)
  if (other) throw new NotOurs(`a gap of its own for an element (${other.gap} ms): ours is one a view`)
}

/**
 * Starts of the windows of these sizes that hold an instant, latest last; for saying which windows a late event
 * missed, and nothing else.
 */
export function startsAround(ts: number, size: number, slide: number, offset: number): number[] {
  const last = ts - ((((ts - offset) % slide) + slide) % slide)
  const starts: number[] = []
  for (let start = last; start > ts - size; start -= slide) starts.unshift(start)
  return starts
}
