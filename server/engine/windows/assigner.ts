import { dayStartMs, type WindowSpec } from '../../contracts/windowSpec'
import { CalendarWindows } from './calendar'
import type { Span } from './span'

/** Says which window an event time belongs to. Pure: the same time, the same span. */
export type Assigner = (eventTime: number) => Span

/**
 * Start of a tumbling window (semantics.md §4); its end is `size` later. floorMod, since JavaScript's `%` is wrong
 * before 1970. All in ms.
 */
export function tumblingStart(eventTime: number, size: number, offset: number): number {
  const remainder = (eventTime - offset) % size
  return eventTime - (remainder < 0 ? remainder + size : remainder)
}

/**
 * The assigner of windows that do not overlap. Throws RangeError for other kinds: an event is in several sliding and
 * cumulate windows, and a session is made of its events.
 */
export function assignerOf(window: WindowSpec): Assigner {
  switch (window.kind) {
    case 'tumbling':
      return tumbling(window.size, window.offset)
    case 'calendar': {
      const windows = new CalendarWindows(window.unit, window.zone, dayStartMs(window.dayStart))
      return (eventTime) => windows.spanOf(eventTime)
    }
    case 'sliding':
    case 'cumulate':
    case 'session':
      throw new RangeError(`${window.kind} windows are not assigned one by one`)
  }
}

function tumbling(size: number, offset: number): Assigner {
  // Most events follow their neighbour: a span is made when the window changes, not for each.
  let last: Span = { start: 0, end: 0 }
  return (eventTime) => {
    if (last.start <= eventTime && eventTime < last.end) return last
    const start = tumblingStart(eventTime, size, offset)
    last = { start, end: start + size }
    return last
  }
}
