import type { WindowSpec } from '../../../server/contracts/windowSpec'
import { calendarSpan } from './calendar'

/** `[start, end)` and what tells it from the view's other windows: its start; of a cumulate window, its end. */
export interface Span {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** All windows that hold an instant, the one with the least end first (semantics.md §4). Sessions have none. */
export function spansOf(window: WindowSpec, t: number): Span[] {
  switch (window.kind) {
    case 'tumbling':
      return [grid(window.size, window.offset, t)]
    case 'calendar':
      return [whole(calendarSpan(window, t))]
    case 'sliding':
      return sliding(window, t)
    case 'cumulate': {
      const { within, step } = window
      const outer = within.kind === 'calendar' ? calendarSpan(within, t) : grid(within.size, within.offset, t)
      return cumulate(outer, step, t)
    }
    case 'session':
      throw new RangeError('a session is made of its events')
  }
}

/** The last of them: the one with the largest end. */
export function lastSpan(window: WindowSpec, t: number): Span {
  const last = spansOf(window, t).at(-1)
  if (!last) throw new RangeError('every instant is in a window')
  return last
}

function whole({ start, end }: { start: number; end: number }): Span {
  return { id: start, start, end }
}

function grid(size: number, offset: number, t: number): Span {
  const start = Math.floor((t - offset) / size) * size + offset
  return whole({ start, end: start + size })
}

function sliding(window: { size: number; slide: number; offset: number }, t: number): Span[] {
  const spans: Span[] = []
  let { start } = grid(window.slide, window.offset, t)
  for (; start + window.size > t; start -= window.slide) {
    spans.unshift(whole({ start, end: start + window.size }))
  }
  return spans
}

/** All begin where `outer` begins; the last one ends with it, also where a day has no whole number of steps. */
function cumulate(outer: { start: number; end: number }, step: number, t: number): Span[] {
  const spans: Span[] = []
  for (let end = outer.start + step; spans.at(-1)?.end !== outer.end; end += step) {
    const cut = Math.min(end, outer.end)
    if (cut > t) spans.push({ id: cut, start: outer.start, end: cut })
  }
  return spans
}
