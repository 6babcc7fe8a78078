import type { Emitter } from './emitter'
import type { EngineState, PipelineState } from './state'
import type { Passing } from './windows/view'

/**
 * Lets journal time pass to `at` (semantics.md §3): idle flags first, then what a risen watermark fires and closes,
 * then views by journal time, then silence. Called before each event and with each record, so that nothing depends
 * on when somebody looked.
 */
export function passTime(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  if (state.clock.passTime(at)) advance(state, pipeline, at, emit)
  fireByJournal(state, pipeline, at, emit)
  closeByInactivity(state, pipeline, at, emit)
}

/**
 * Does what follows from the watermark having risen: windows whose end it reached fire, those whose lateness it
 * passed close and give their state back (semantics.md §4). Empty windows do not exist here, so they do not fire.
 */
export function advance(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  const passing = passingOf(state, at)
  pipeline.horizon.follow(passing.watermark)
  for (const view of pipeline.views) if (view.spec.time === 'event') view.fireDue(passing, emit)
  close(pipeline, passing, emit)
}

/** The base view first: others close when their base windows have. */
function close(pipeline: PipelineState, passing: Passing, emit: Emitter): void {
  pipeline.base.closeDue(passing, emit, (ordinal) => pipeline.ids.release(ordinal))
  for (const view of pipeline.views) {
    if (view.spec.time === 'event' && !view.isBase) view.closeDue(passing, emit, () => {})
  }
}

/** L changed, or something else on which closing hangs: works out anew what is closed. */
export function reschedule(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  for (const view of pipeline.views) view.reschedule()
  close(pipeline, passingOf(state, at), emit)
}

function fireByJournal(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  for (const view of pipeline.views) {
    if (view.spec.time !== 'journal') continue
    const passing = passingOf(state, at)
    view.fireDue(passing, emit)
    view.closeDue(passing, emit, () => {})
  }
}

function closeByInactivity(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter): void {
  const { clock } = state
  const silence = pipeline.spec.closeByInactivity
  if (silence === null || clock.timerTime(at) - clock.lastSpokeAt <= silence) return
  const passing = passingOf(state, at)
  for (const view of pipeline.views) view.fireAll(passing, emit)
}

function passingOf(state: EngineState, at: number): Passing {
  const { clock } = state
  return { at, watermark: clock.watermark, leftOut: clock.idleSources() }
}
