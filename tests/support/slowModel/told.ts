import { fromDecimal, toUnits } from '../../../server/contracts/money'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import type { Measures, Revision } from '../../../server/contracts/windowRow'
import type { StepOutcome } from '../../../server/engine/outcome'
import type { RowSeen, Run } from '../engine'
import type { Item } from '../program/items'
import { type Row, statusOf, valuesOf, type Win, ZEROS } from './rows'
import { COUNTERS, type Counts, type RevisionTold, type Source, type State, specOf, type Told } from './state'
import { boundOf } from './strategy'

/*
 * What one record did and where it left the pipeline, as plain data: once from the engine and once from the model, in
 * the same words, so that the two are compared as JSON.
 */

function inWords(m: Measures): string {
  const money = [m.gross, m.refunds, m.net].map((text) => toUnits(fromDecimal(text)))
  return [...money, m.orders, m.buyers, m.events].join(' ')
}

/** How much of a run's lists was said before a record. */
export function heard(run: Run) {
  return { late: run.late.length, conflicts: run.conflicts.length }
}

export function toldByEngine(
  run: Run,
  record: readonly Item[],
  outcome: StepOutcome,
  from: ReturnType<typeof heard>,
) {
  const ids = record.flatMap((item) => (item.kind === 'event' ? [item.id] : []))
  return {
    late: run.late.slice(from.late).map(({ id, windowStart, windowEnd, watermark, lateBy }) => ({
      ...{ id, windowStart, windowEnd, watermark, lateBy },
    })),
    missed: outcome.missed.map(({ row, view, windows, firstStart, lastEnd, watermark }) => ({
      ...{ id: ids[row], view, windows, firstStart, lastEnd, watermark },
    })),
    conflicts: run.conflicts.slice(from.conflicts),
    closed: outcome.closed.map(({ view, windowId }) => `${view}@${windowId}`).sort(),
    notices: notices(outcome.notices.map(({ kind, subject }) => `${kind} ${subject}`)),
    refused: outcome.command && outcome.command.refused !== null,
  }
}

export function toldByModel({ late, missed, conflicts, closed, notices: said, refused }: Told) {
  return { late, missed, conflicts, closed: closed.toSorted(), notices: notices(said), refused }
}

/** Without those about keys, which are looked at by themselves; nobody promises a subject where sources are many. */
function notices(said: readonly string[]): string[] {
  return said
    .filter((notice) => !notice.startsWith('keys_over_cap'))
    .map((notice) => notice.replace(/^sources_over_cap .*/, 'sources_over_cap'))
    .sort()
}

export function stateOfEngine(run: Run) {
  const { clock, counts, countsBySource } = run.state
  const sources = [...clock.sources].map(([name, s]) => clockLine(name, s))
  return { watermark: run.watermark, sources: sources.sort(), counts: countLines(counts, countsBySource) }
}

export function stateOfModel({ W, sources, counts, bySource }: State) {
  const lines = [...sources.values()].map((s) =>
    clockLine(s.name, { ...s, watermark: s.W, bound: boundOf(s), test: s.own.test }),
  )
  return { watermark: W, sources: lines.sort(), counts: countLines(counts, bySource) }
}

type Clock = Pick<Source, 'maxTs' | 'idle' | 'resendsHistory' | 'wouldPause'> & {
  readonly watermark: number
  readonly bound: number | null
  readonly test: boolean
}

function clockLine(name: string, is: Clock): string {
  const flags = [
    is.idle && 'idle',
    is.resendsHistory && 'resends',
    is.wouldPause && 'waits',
    is.test && 'test',
  ]
  return [name, is.watermark, is.maxTs, is.bound, ...flags.filter(Boolean)].join(' ')
}

/** A source that sent nothing may be listed or not. */
function countLines(total: Counts, bySource: ReadonlyMap<string, Counts>): string[] {
  const lineOf = (name: string, counts: Counts) => `${name}: ${COUNTERS.map((c) => counts[c]).join(' ')}`
  const sent = [...bySource].filter(([, own]) => COUNTERS.some((c) => own[c] > 0))
  return [COUNTERS.join(' '), lineOf('all', total), ...sent.map(([name, own]) => lineOf(name, own)).sort()]
}

/** Revisions as lines. Within one moment of the model's any order will do, so each moment's are sorted. */
export function revisionLines(
  list: readonly Omit<RevisionTold, 'moment'>[],
  moments: readonly number[],
): string[] {
  const lines: string[] = []
  for (let from = 0; from < list.length; ) {
    let to = from + 1
    while (to < list.length && moments[to] === moments[from]) to++
    lines.push(...list.slice(from, to).map(lineOf).sort())
    from = to
  }
  return lines
}

function lineOf(r: Omit<RevisionTold, 'moment'>): string {
  const window = `${r.view}@${r.windowId} [${r.start}, ${r.end})`
  return `${window} ${r.key} ${r.kind} ${r.revision}: ${r.before} -> ${r.after} at ${r.watermark}`
}

export function revisionOf(r: Revision): Omit<RevisionTold, 'moment'> {
  const { view, windowId, start, end, revision, kind, watermark } = r
  const values = { before: r.before && inWords(r.before), after: inWords(r.after) }
  return {
    view,
    windowId,
    start,
    end,
    key: JSON.stringify([r.currency, ...r.dims]),
    revision,
    kind,
    watermark,
    ...values,
  }
}

/**
 * All rows there ever were, as lines. Of a superseded one only what it says now is anybody's business; and of sliding
 * and cumulate windows the open ones are not told one by one: an event is in up to 1,440.
 */
export function rowsOfEngine(run: Run): string[] {
  const many = new Set(run.spec.views.filter(overlaps).map((view) => view.id))
  const rows = [...run.rows].filter(([, row]) => row.status !== 'open' || !many.has(row.view))
  return rows.map(([name, row]) => rowLine(name, row, inWords(row))).sort()
}

function overlaps({ window }: ViewSpec): boolean {
  return window.kind === 'sliding' || window.kind === 'cumulate'
}

export function rowsOfModel(state: State): string[] {
  const lines = state.views.flatMap((view) => {
    const told = view.all.filter((win) => statusOf(win) !== 'open' || !overlaps(specOf(state, view)))
    return told.flatMap((win) => [...win.rows.values()].map((row) => lineOfRow(win, row)))
  })
  return lines.sort()
}

function lineOfRow(win: Win, row: Row): string {
  const status = statusOf(win)
  const values = status === 'superseded' ? ZEROS : valuesOf(row)
  return rowLine(`${win.view}@${win.id} ${row.key}`, { ...win, status, revision: row.revision }, values)
}

type Shown = Pick<RowSeen, 'start' | 'end' | 'revision' | 'byInactivity' | 'leftOut'> & { status: string }

function rowLine(name: string, row: Shown, values: string): string {
  const said = `${name} ${row.status} ${row.revision} ${values}`
  if (row.status === 'superseded') return said
  return `${said} [${row.start}, ${row.end}) ${row.byInactivity} ${row.leftOut.toSorted().join()}`
}
