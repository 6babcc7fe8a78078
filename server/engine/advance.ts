import type { StepOutcome } from './outcome'
import { type Moment, publish } from './publish'
import type { EngineState, PipelineState } from './state'
import type { ViewState } from './windows/viewState'

/**
 * Does what follows from the watermark having risen: windows whose end it reached fire, those whose lateness it
 * passed close and give their state back (semantics.md §4). Empty windows do not exist here, so they do not fire.
 */
export function advance(state: EngineState, pipeline: PipelineState, at: number, outcome: StepOutcome): void {
  const moment: Moment = { at, position: state.position, watermark: state.clock.watermark }
  const leftOut = state.clock.idleSources()
  for (const view of pipeline.views) {
    fireDue(view, moment, leftOut, outcome)
    closeDue(view, pipeline, moment, outcome)
  }
}

function fireDue(view: ViewState, moment: Moment, leftOut: readonly string[], outcome: StepOutcome): void {
  for (let window = view.nextToFire(moment.watermark); window; window = view.nextToFire(moment.watermark)) {
    window.fired = true
    window.leftOut = leftOut
    for (const cell of window.cells.values()) {
      outcome.revisions.push(publish(cell, 'on-time', moment, cell.events, []))
      touch(cell, moment.position, outcome)
    }
  }
}

function closeDue(view: ViewState, pipeline: PipelineState, moment: Moment, outcome: StepOutcome): void {
  const lateness = pipeline.spec.allowedLateness
  for (
    let window = view.nextToClose(moment.watermark, lateness);
    window;
    window = view.nextToClose(moment.watermark, lateness)
  ) {
    window.closed = true
    if (view.isBase) pipeline.ids.release(window.ordinal)
    outcome.closed.push({ view: window.view, version: window.version, start: window.start })
  }
}

/** Lists a row among those that this record changed, once. */
export function touch(cell: StepOutcome['touched'][number], position: number, outcome: StepOutcome): void {
  if (cell.touchedAt === position) return
  cell.touchedAt = position
  outcome.touched.push(cell)
}
