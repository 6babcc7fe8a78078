import { shareOf } from '@/app/lib/format/decimal'
import { duration, setting } from '@/app/lib/format/duration'
import { count, percent } from '@/app/lib/format/number'
import { clockOf, completeTo } from '@/app/lib/format/time'
import type { PipelineStatus, SourceStatus } from '@/server/contracts/status'

/** A cell: what is written, and what it is sorted by. "never" is a word here, never NaN (field case 45). */
export interface Cell {
  readonly text: string
  readonly order: number | string
}

export interface SourceLine {
  readonly name: string
  readonly holdsBack: boolean
  /** It sends again what it had sent a day and more before (semantics.md §2, stale notice). */
  readonly resendsHistory: boolean
  /** "would wait: 3 m ahead of the slowest"; null unless alignment says so. */
  readonly wait: string | null
  readonly tone: 'active' | 'quiet' | 'idle' | 'never' | 'retired'
  readonly state: Cell
  /** "idle at 14:29:12"; null when it already is. */
  readonly idleAt: string | null
  readonly watermark: Cell
  readonly behind: Cell
  readonly newest: Cell
  readonly lastRecord: Cell
  /** "48,120 · 310 · 12" and "99.3 · 0.6 · 0.0 %" of what was counted or came too late. */
  readonly layers: Cell
  readonly shares: string
  readonly duplicates: Cell
  readonly quarantined: Cell
  readonly bound: Cell
}

export function prepareSources(status: PipelineStatus, now: number): readonly SourceLine[] {
  return [...status.sources]
    .sort((a, b) => Number(b.holdsBack) - Number(a.holdsBack) || a.name.localeCompare(b.name))
    .map((source) => lineOf(source, status.zone, now))
}

function lineOf(source: SourceStatus, zone: string, now: number): SourceLine {
  const clock = clockOf(zone)
  const at = (value: number | null) => cell(value, (v) => clock.instant(v, now))
  const behind = source.watermark === null ? null : now - completeTo(source.watermark)
  return {
    name: source.name,
    holdsBack: source.holdsBack,
    resendsHistory: source.resendsHistory,
    wait: source.wouldPause ? `would wait: ${duration(source.drift ?? 0)} ahead of the slowest` : null,
    tone: isQuiet(source, now) ? 'quiet' : source.state,
    state: { text: stateOf(source, now), order: source.state },
    idleAt: idleAtOf(source, at),
    watermark: at(source.watermark === null ? null : completeTo(source.watermark)),
    behind: cell(behind, (v) => (v < 0 ? `ahead by ${duration(v)}` : duration(v))),
    newest: at(source.maxEventTime),
    lastRecord: cell(source.lastRecordAt, (v) => `${duration(Math.max(0, now - v))} ago`),
    layers: {
      text: [source.inTime, source.corrected, source.late].map(count).join(' · '),
      order: source.corrected + source.late,
    },
    shares: sharesOf(source),
    duplicates: { text: duplicatesOf(source), order: source.duplicate },
    quarantined: { text: count(source.quarantined), order: source.quarantined },
    bound: boundOf(source),
  }
}

function cell(value: number | null, write: (value: number) => string): Cell {
  return value === null
    ? { text: 'never', order: Number.NEGATIVE_INFINITY }
    : { text: write(value), order: value }
}

/** How its watermark follows its orders: by a bound, learned or set, or by the producer's marks. */
function boundOf({ strategy, bound }: SourceStatus): Cell {
  if (bound === null) return { text: 'by marks', order: -1 }
  const text = setting(bound)
  return { text: strategy === 'adaptive' ? `${text}, learned` : text, order: bound }
}

/** Not idle yet, and nothing heard for this long: the others wait for it, so it is said. */
const QUIET_AFTER_MS = 10_000

function isQuiet(source: SourceStatus, now: number): boolean {
  return (
    source.state === 'active' && source.lastRecordAt !== null && now - source.lastRecordAt > QUIET_AFTER_MS
  )
}

function stateOf(source: SourceStatus, now: number): string {
  if (isQuiet(source, now)) return `quiet for ${duration(now - (source.lastRecordAt ?? now))}`
  if (source.state === 'active') return source.isTest ? `test, ${count(source.test)} not counted` : 'active'
  if (source.state === 'retired') return 'retired'
  if (source.lastRecordAt === null) return source.state === 'idle' ? 'idle, never spoke' : 'never spoke'
  if (source.state === 'never') return 'never spoke'
  const since = source.idleAt ?? source.lastRecordAt
  return `idle for ${duration(Math.max(0, now - since))}`
}

function idleAtOf(source: SourceStatus, at: (value: number | null) => Cell): string | null {
  if (source.state === 'idle') return null
  if (source.idleTimeout === null || source.idleAt === null) return 'idleness is off'
  return `idle at ${at(source.idleAt).text}`
}

function sharesOf(source: SourceStatus): string {
  const whole = source.inTime + source.corrected + source.late
  const shares = [source.inTime, source.corrected, source.late].map((part) => shareOf(part, whole))
  return shares.includes(null) ? percent(null) : `${shares.join(' · ')} %`
}

function duplicatesOf(source: SourceStatus): string {
  const conflicts = source.conflict > 0 ? ` (${count(source.conflict)} in conflict)` : ''
  return `${count(source.duplicate)}${conflicts}`
}
