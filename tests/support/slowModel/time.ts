import { fireSilent, followSources, journalViews } from './advance'
import { setIdle } from './sources'
import type { State } from './state'

/** Journal time goes on to `at`: who is idle, the watermark with it, windows by journal time, the silence. */
export function passTime(state: State, at: number): void {
  state.at = Math.max(state.at, at)
  runTimers(state, state.pausedAt === null ? at : Math.min(at, state.pausedAt))
}

/** Timers as of `now`, which stands still in a pause; views by journal time do not. */
function runTimers(state: State, now: number): void {
  setIdle(state, now)
  followSources(state)
  journalViews(state)
  const { closeByInactivity } = state.spec
  if (closeByInactivity !== null && now - state.heardAt > closeByInactivity) fireSilent(state)
}

/** From here on timers stand still. */
export function pause(state: State, at: number): void {
  passTime(state, at)
  state.pausedAt ??= at
  state.reached.add('paused')
}

/** The timers of those who were awake go on where they stood (decision 12). */
export function resume(state: State, pausedAt: number, at: number): void {
  const since = state.pausedAt ?? pausedAt
  state.reached.add(state.pausedAt === null ? 'resumed unpaused' : 'resumed')
  state.at = at
  runTimers(state, since)
  const gained = (timer: number) => Math.max(0, at - Math.max(since, timer))
  for (const source of state.sources.values()) if (!source.idle) source.timer += gained(source.timer)
  state.heardAt += gained(state.heardAt)
  state.pausedAt = null
  passTime(state, at)
}
