import { baseOf } from './advance'
import type { Counted, Win } from './rows'
import { countInSession, placeOf } from './sessions'
import { type Span, spansOf } from './spans'
import { finite, type State, specOf, type View } from './state'
import { countIn, eventViews } from './windows'

/** Late, in time or corrected: one judgement for the whole pipeline, by the base view (semantics.md §4). */
export function judge(state: State, event: Counted): 'late' | 'inTime' | 'corrected' {
  const base = baseOf(state)
  state.moment++
  if (specOf(state, base).window.kind === 'session') return judgeSession(state, base, event)
  const spans = spansOf(specOf(state, base).window, event.item.ts)
  const still = spans.filter((span) => isOpen(state, base, span))
  const last = spans.at(-1)
  if (still.length === 0 && last) return late(state, event, last)
  const missed = spans.filter((span) => !still.includes(span))
  if (missed.length > 0) miss(state, base, event, missed)
  return countEverywhere(state, base, still, event)
}

function isOpen(state: State, base: View, span: Span): boolean {
  return base.live.has(span.id) || span.end > state.horizon
}

function judgeSession(state: State, base: View, event: Counted) {
  const { start, end, joined } = placeOf(state, base, event)
  if (joined.length === 0 && end <= state.horizon) return late(state, event, { id: 0, start, end })
  return countEverywhere(state, base, [], event)
}

/** In all views; where the base is no tumbling view, the others have its windows (pipelineSpec). */
function countEverywhere(state: State, base: View, still: readonly Span[], event: Counted) {
  const tumbling = specOf(state, base).window.kind === 'tumbling'
  let corrected = false
  for (const view of eventViews(state)) {
    const { window } = specOf(state, view)
    if (window.kind === 'session') corrected = countInSession(state, view, event) || corrected
    else {
      const spans = tumbling ? spansOf(window, event.item.ts) : still
      corrected = countIn(state, view, spans, event) || corrected
    }
  }
  for (const view of state.views) {
    const { window, time } = specOf(state, view)
    if (time === 'journal') countIn(state, view, spansOf(window, state.at), event)
  }
  event.base = holders(base, event)
  return corrected ? 'corrected' : 'inTime'
}

/** It was just counted, so it is the last of its row. */
function holders(base: View, event: Counted): Win[] {
  return [...base.live.values()].filter((win) =>
    [...win.rows.values()].some((row) => row.events.at(-1) === event),
  )
}

function late(state: State, event: Counted, span: Span): 'late' {
  const by = Math.max(0, state.W - (span.end - 1 + state.spec.allowedLateness))
  if (by === 0) state.reached.add('late by 0')
  state.told.late.push({
    id: event.item.id,
    windowStart: span.start,
    windowEnd: span.end,
    watermark: finite(state.W),
    lateBy: Math.min(by, Number.MAX_SAFE_INTEGER),
  })
  return 'late'
}

function miss(state: State, base: View, event: Counted, spans: readonly Span[]): void {
  state.reached.add('missed')
  state.told.missed.push({
    id: event.item.id,
    view: base.id,
    windows: spans.length,
    firstStart: spans[0]?.start ?? Number.NaN,
    lastEnd: spans.at(-1)?.end ?? Number.NaN,
    watermark: finite(state.W),
  })
}
