import type { WindowSpec } from '../../contracts/pipelineSpec'
import { CalendarDays } from './calendarDays'
import type { Span } from './span'

/** Says which window an event time belongs to. Pure: the same time, the same span. */
export type Assigner = (eventTime: number) => Span

/** Start of a tumbling window (semantics.md §4). floorMod, since JavaScript's `%` is wrong before 1970. */
export function tumblingStart(eventTime: number, size: number, offset: number): number {
  const remainder = (eventTime - offset) % size
  return eventTime - (remainder < 0 ? remainder + size : remainder)
}

export function assignerOf(window: WindowSpec): Assigner {
  switch (window.kind) {
    case 'tumbling': {
      const { size, offset } = window
      return (eventTime) => {
        const start = tumblingStart(eventTime, size, offset)
        return { start, end: start + size }
      }
    }
    case 'calendar': {
      const days = new CalendarDays(window.zone)
      return (eventTime) => days.spanOf(eventTime)
    }
  }
}
