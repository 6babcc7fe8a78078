import { duration } from '@/app/lib/format/duration'
import type { LiveState } from '@/app/lib/live'

/** Live, reconnecting or stale, in words (screens.md): the dot beside them only repeats it. */
export function connectionWords(state: LiveState, silentFor: number): string {
  switch (state) {
    case 'connecting':
      return 'connecting'
    case 'live':
      return 'live'
    case 'reconnecting':
      return 'reconnecting'
    case 'stale':
      return `stale for ${duration(silentFor)}`
  }
}
