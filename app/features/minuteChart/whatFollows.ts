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
  const clock = clockOf(standing.zone)
  if (row.status === 'open') {
    return `Complete when the watermark reaches ${clock.seconds(end)}; ${standsAt(standing)}.`
  }
  const last = clock.seconds(end + standing.allowedLateness)
  const why = `allowed lateness ${setting(standing.allowedLateness)}`
  return `Late orders change it until the watermark reaches ${last} (${why}).`
}

/** "it is at 14:22:30, held by pos-3" */
function standsAt({ watermark, zone, sources }: Standing): string {
  if (watermark === null) return 'there is none yet'
  const at = `it is at ${clockOf(zone).seconds(completeTo(watermark))}`
  if (sources.length > 0 && sources.every((source) => source.state !== 'active')) {
    return `${at}, and every source is idle`
  }
  const holder = sources.find((source) => source.holdsBack)
  return holder && sources.length > 1 ? `${at}, the time of ${holder.name}` : at
}

/** The same in a cell: "14:33:00", "final", or nothing. */
export function changesUntil({ row, end }: Minute, standing: Standing): string {
  if (!row) return ''
  if (row.status === 'closed') return 'final'
  return clockOf(standing.zone).seconds(end + standing.allowedLateness)
}
