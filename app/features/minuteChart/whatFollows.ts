import { setting } from '@/app/lib/format/duration'
import { clockOf, completeTo } from '@/app/lib/format/time'
import type { PipelineStatus } from '@/server/contracts/status'
import type { Minute } from './prepare'

type Standing = Pick<PipelineStatus, 'watermark' | 'allowedLateness' | 'zone' | 'sources'>

/**
 * When a minute is complete, until when it may still change, and why (field case 18: no window waits for reasons that
 * nobody says). null for a gap: there is nothing to wait for. The allowed lateness is the one in force.
 */
export function whatFollows({ row, end }: Minute, standing: Standing): string | null {
  if (!row) return null
  if (row.status === 'closed') return 'Final: a later order goes to the late store.'
  if (row.status === 'open') {
    return `Complete when the watermark reaches ${clockOf(standing.zone).seconds(end)}; ${standsAt(standing, end)}.`
  }
  // Not only late ones: where it was closed for silence, the watermark has not reached its end.
  const why = `allowed lateness ${setting(standing.allowedLateness)}`
  return `Orders that still come change it until the watermark reaches ${lastChange(end, standing)} (${why}).`
}

/** "it is at 14:22:30, the time of pos-3"; with its day where that is not the minute's. */
function standsAt({ watermark, zone, sources }: Standing, end: number): string {
  if (watermark === null) return 'there is none yet'
  const at = `it is at ${clockOf(zone).instant(completeTo(watermark), end)}`
  if (sources.length > 0 && sources.every((source) => source.state !== 'active')) {
    return `${at}, and every source is idle`
  }
  const holder = sources.find((source) => source.holdsBack)
  return holder && sources.length > 1 ? `${at}, the time of ${holder.name}` : at
}

/** The same in a cell: "14:33:00", "final", or nothing. */
export function changesUntil({ row, end }: Minute, standing: Standing): string {
  if (!row) return ''
  return row.status === 'closed' ? 'final' : lastChange(end, standing)
}

/** Lateness may be days: "4 Dec, 14:33:00". */
function lastChange(end: number, { allowedLateness, zone }: Standing): string {
  return clockOf(zone).instant(end + allowedLateness, end)
}
