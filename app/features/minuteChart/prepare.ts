import { decimalOf, heightOf, unitsOf } from '@/app/lib/format/decimal'
import { money } from '@/app/lib/format/money'
import { list } from '@/app/lib/format/number'
import { keyOf } from '@/app/lib/viewReplica'
import type { Revision, WindowRow } from '@/server/contracts/windowRow'

export const MINUTE = 60_000

export const RANGES = { '30m': 30, '1h': 60, '3h': 180 } as const
export type Range = keyof typeof RANGES

/** The visual grammar of finality (screens.md): one word a state, the same in chart, table and hover card. */
export type Finality = 'gap' | 'open' | 'complete' | 'corrected' | 'reconciled'

export interface Minute {
  readonly start: number
  readonly end: number
  readonly finality: Finality
  /** The row behind it; null is a gap: no order counted there. A gap is not a zero. */
  readonly row: WindowRow | null
  /** Net as a bar height; null draws nothing. */
  readonly height: number | null
  /** Height of the notch: what corrections changed, as far as they are known; 0 when unknown or none. */
  readonly notch: number
  /** "complete", "so far", "corrected +¥ 1,204.00" */
  readonly word: string
  /** "rev 3", only where the revision says something. */
  readonly mark: string | null
}

export interface MinuteInput {
  readonly rows: readonly WindowRow[]
  readonly corrections: readonly Revision[]
  readonly currency: string
  readonly now: number
  readonly minutes: number
}

/** Left end of the range: `minutes` windows, the last of which holds `now`. */
export function rangeStart(now: number, minutes: number): number {
  return Math.floor(now / MINUTE) * MINUTE - (minutes - 1) * MINUTE
}

export function prepareMinutes(input: MinuteInput): readonly Minute[] {
  const changes = changesByRow(input.corrections)
  const rows = new Map(current(input.rows, input.currency).map((row) => [row.start, row]))
  const first = rangeStart(input.now, input.minutes)
  return Array.from({ length: input.minutes }, (_, i) => {
    const start = first + i * MINUTE
    const row = rows.get(start) ?? null
    return row ? minuteOf(row, changes.get(keyOf(row)) ?? null) : gapAt(start)
  })
}

/** Rows of one currency and of the newest version; superseded ones are absent from charts. */
function current(rows: readonly WindowRow[], currency: string): readonly WindowRow[] {
  const version = Math.max(0, ...rows.map((row) => row.version))
  return rows.filter(
    (row) => row.currency === currency && row.version === version && row.status !== 'superseded',
  )
}

export function currenciesOf(rows: readonly WindowRow[]): readonly string[] {
  return [...new Set(rows.map((row) => row.currency))].sort()
}

interface Change {
  readonly delta: bigint
  readonly byHand: boolean
}

/** What all known corrections of a row changed together. */
function changesByRow(corrections: readonly Revision[]): Map<string, Change> {
  const changes = new Map<string, Change>()
  for (const revision of corrections) {
    if (revision.kind !== 'correction' && revision.kind !== 'reconciled') continue
    const known = changes.get(keyOf(revision))
    changes.set(keyOf(revision), {
      delta: (known?.delta ?? 0n) + unitsOf(revision.deltaNet),
      byHand: (known?.byHand ?? false) || revision.kind === 'reconciled',
    })
  }
  return changes
}

function gapAt(start: number): Minute {
  const end = start + MINUTE
  return { start, end, finality: 'gap', row: null, height: null, notch: 0, word: 'no orders', mark: null }
}

function minuteOf(row: WindowRow, change: Change | null): Minute {
  const finality = finalityOf(row, change)
  const corrected = finality === 'corrected' || finality === 'reconciled'
  return {
    start: row.start,
    end: row.end,
    finality,
    row,
    height: heightOf(row.net),
    notch: corrected && change ? heightOf(decimalOf(change.delta)) : 0,
    word: wordOf(row, finality, change),
    mark: corrected ? `rev ${row.revision}` : null,
  }
}

/** Revision 1 is the firing, more is a correction; a first event after the firing is a correction with revision 1. */
function finalityOf(row: WindowRow, change: Change | null): Finality {
  if (row.status === 'open' || row.byInactivity) return 'open'
  if (change?.byHand) return 'reconciled'
  return row.revision > 1 || change ? 'corrected' : 'complete'
}

function wordOf(row: WindowRow, finality: Finality, change: Change | null): string {
  const without = row.leftOut.length > 0 ? ` without ${list(row.leftOut)}` : ''
  if (finality === 'open' && !row.byInactivity) return 'so far'
  // The watermark has not reached its end: it is not complete, though nobody sends any more.
  if (row.byInactivity) return `closed for silence, may still change${without}`
  if (finality === 'complete') return `complete${without}`
  const word = finality === 'corrected' ? 'corrected' : 'reconciled by hand'
  const delta = change ? ` ${money(decimalOf(change.delta), row.currency, { signed: true })}` : ''
  return `${word}${delta}${without}`
}

/** Which marks ("rev 3") fit: each needs `need` px, and the last one drawn wins its room. By start of the minute. */
export function marksThatFit(minutes: readonly Minute[], slotPx: number, need = 34): ReadonlySet<number> {
  const fit = new Set<number>()
  let free = Number.NEGATIVE_INFINITY
  minutes.forEach((minute, i) => {
    if (!minute.mark || i * slotPx < free) return
    fit.add(minute.start)
    free = i * slotPx + need
  })
  return fit
}

/** What the chart shows, for those who cannot see it. */
export function describe(minutes: readonly Minute[]): string {
  const of = (finality: Finality) => minutes.filter((minute) => minute.finality === finality).length
  return (
    `Net GMV per minute, ${minutes.length} minutes: ${of('complete')} complete, ${of('open')} still open, ` +
    `${of('corrected') + of('reconciled')} corrected, ${of('gap')} without orders. The table has every figure.`
  )
}
