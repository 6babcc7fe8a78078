import type { PipelineSpec } from './pipelineSpec'
import type { Strategy } from './strategy'
import type { ViewSpec } from './viewSpec'
import type { WindowSpec } from './windowSpec'

/**
 * A row of a window that fired: its totals and those last published (136 bytes, in arrays that double as they grow),
 * its key, and the first order and buyer of its set of distinct ids.
 */
export const ROW_BYTES = 320
/** An id by which a repeat is known; most of the time less, while its table has room to grow. */
export const ID_BYTES = 48
/** A view without dimensions has a row a currency; its cap is never reached. */
const CURRENCIES = 10
const MB = 1_000_000
const DAY = 86_400_000
/** Longest nominal length of a calendar window, ms. */
const CALENDAR = { day: DAY, week: 7 * DAY, month: 31 * DAY } as const

/**
 * What the engine's state can grow to, in MB (10^6 bytes), if every window fills up to its `maxKeys` and ids up to
 * `maxLiveIds`. It assumes that a view holds the windows of L + B and one more. Distinct orders and buyers beyond a
 * row's first come on top: they go by the traffic (some 27 bytes an id, window and view), which a spec does not say.
 */
export function estimatedStateMb(spec: PipelineSpec): number {
  const rows = spec.views.reduce((sum, view) => sum + windowsHeld(view, spec) * rowsAWindow(view), 0)
  return Math.ceil((rows * ROW_BYTES + spec.maxLiveIds * ID_BYTES) / MB)
}

/** Event-time wait for a window's last word, L + B with the largest B of any source that counts, ms (semantics.md §4). */
export function longestWait(spec: PipelineSpec): number {
  const counted = spec.sources.filter((source) => !source.test)
  const strategies = [spec.strategy, ...counted.flatMap((source) => source.strategy ?? [])]
  return spec.allowedLateness + Math.max(...strategies.map(largestBound))
}

/** The most that a strategy's B can be, ms. Marks may trail by any time: 0 stands for "not known". */
export function largestBound(strategy: Strategy): number {
  switch (strategy.kind) {
    case 'bounded':
      return strategy.bound
    case 'adaptive':
      return Math.max(strategy.initial, strategy.most)
    case 'ascending':
    case 'punctuated':
      return 0
  }
}

/** Windows of a view that are held at once, when all events of a stretch of time are there. */
export function windowsHeld(view: ViewSpec, spec: PipelineSpec): number {
  // By journal time a window closes as it ends.
  if (view.time === 'journal') return 1
  const { every, reach } = paceOf(view.window)
  return Math.ceil((longestWait(spec) + reach) / every) + 1
}

function rowsAWindow(view: ViewSpec): number {
  return view.groupBy.length === 0 ? CURRENCIES : view.maxKeys
}

/** How often a window begins, and how much longer than that one of them is; ms. */
function paceOf(window: WindowSpec): { every: number; reach: number } {
  switch (window.kind) {
    case 'tumbling':
      return { every: window.size, reach: 0 }
    case 'calendar':
      return { every: CALENDAR[window.unit], reach: 0 }
    case 'sliding':
      return { every: window.slide, reach: window.size - window.slide }
    case 'cumulate': {
      const whole = window.within.kind === 'calendar' ? DAY : window.within.size
      return { every: window.step, reach: whole - window.step }
    }
    case 'session':
      // A key's sessions are more than a gap apart.
      return { every: window.gap, reach: 0 }
  }
}
