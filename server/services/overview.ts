import type { Overview } from '../contracts/overview'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import { readTotals } from '../store/readTotals'
import { sumCorrections } from '../store/sumCorrections'
import { sumLateWaiting } from '../store/sumLateWaiting'
import { type BusinessDay, businessDay } from './businessDay'
import type { ReadDeps } from './readDeps'
import { correctedView, totalDayView } from './views'

const HOUR = 3_600_000

/** Figures of the current business day, and the parts of the trust line. */
export async function overview({ store, spec, now }: ReadDeps): Promise<Overview> {
  const pipeline = spec()
  const at = now()
  const day = businessDay(at, pipeline.zone)
  const [today, correctionsLastHour, lateWaiting] = await Promise.all([
    figuresOf(store, pipeline, day),
    sumCorrections(store, correctedView(pipeline), at - HOUR),
    sumLateWaiting(store),
  ])
  return {
    now: at,
    zone: pipeline.zone,
    dayStart: day.start,
    dayEnd: day.end,
    today,
    trust: { correctionsLastHour, lateWaiting },
  }
}

/**
 * Only from a day view of the business zone: distinct orders and buyers of a day cannot be had from other windows,
 * and a figure that would be wrong is not shown.
 */
async function figuresOf(store: ReadDeps['store'], spec: PipelineSpec, day: BusinessDay) {
  const view = totalDayView(spec)
  return view ? readTotals(store, { view: view.id, version: view.version, start: day.start }) : []
}
