import type { CumulateSpec, SlidingSpec } from '../../contracts/windowSpec'
import { assignerOf, tumblingStart } from './assigner'

/**
 * A slice is a stretch of time whose events all belong to the same windows (semantics.md §4, sliding and cumulate).
 * Windows are told apart by an id on the time line that grows with them: a sliding window's start, a cumulate
 * window's end; those of a slice are the ones from `first` to `last`.
 */
export interface Slice {
  /** Start of the slice, ms: its name. */
  readonly start: number
  readonly first: number
  readonly last: number
}

export interface Slicing {
  sliceOf(eventTime: number): Slice
  /** Ids of the windows of a slice, in order. */
  idsOf(slice: Slice): number[]
  startOf(id: number): number
  endOf(id: number): number
  /** End of a slice, exclusive, ms. */
  endOfSlice(slice: Slice): number
  /** Start of the first slice that belongs to a window after `id`. */
  firstSliceAfter(id: number): number
}

export function slicingOf(window: SlidingSpec | CumulateSpec): Slicing {
  return window.kind === 'sliding' ? sliding(window) : cumulate(window)
}

function sliding({ size, slide, offset }: SlidingSpec): Slicing {
  return {
    sliceOf(eventTime) {
      const last = tumblingStart(eventTime, slide, offset)
      // Windows that began earlier and have not ended at the event.
      const first = last - slide * Math.floor((size - 1 - (eventTime - last)) / slide)
      const ended = first - slide + size
      return { start: Math.max(last, ended), first, last }
    },
    idsOf({ first, last }) {
      const ids: number[] = []
      for (let id = first; id <= last; id += slide) ids.push(id)
      return ids
    },
    startOf: (id) => id,
    endOf: (id) => id + size,
    // The next slice begins where a window begins, or where the first of these ends.
    endOfSlice: ({ first, last }) => Math.min(last + slide, first + size),
    firstSliceAfter: (id) => id + slide,
  }
}

function cumulate({ step, within }: CumulateSpec): Slicing {
  const assign = assignerOf(within)
  return {
    sliceOf(eventTime) {
      const { start, end } = assign(eventTime)
      const from = start + step * Math.floor((eventTime - start) / step)
      // A day of 23 or 25 hours may end within a step.
      return { start: from, first: Math.min(from + step, end), last: end }
    },
    idsOf({ first, last }) {
      const ids: number[] = []
      for (let id = first; id < last; id += step) ids.push(id)
      ids.push(last)
      return ids
    },
    startOf: (id) => assign(id - 1).start,
    endOf: (id) => id,
    // The first window that holds a slice ends with it.
    endOfSlice: ({ first }) => first,
    firstSliceAfter: (id) => assign(id).start,
  }
}
