import { duration } from '@/app/lib/format/duration'
import { money } from '@/app/lib/format/money'
import { counted, list } from '@/app/lib/format/number'
import { clockOf, completeTo } from '@/app/lib/format/time'
import type { MoneyCount, Trust } from '@/server/contracts/overview'
import type { PipelineStatus } from '@/server/contracts/status'

/** The one line that says how far to trust the numbers (screens.md, Dashboard). */
export interface TrustLine {
  /** What makes every figure doubtful, first of all; null when nothing does. */
  readonly alarm: string | null
  /** "Complete to 14:22:30" */
  readonly lead: string
  /** What follows it, each part on its own: "3 s behind (pos-3 is the slowest)". */
  readonly parts: readonly string[]
  /** The late orders that wait: a link to where they can be seen; null when none wait. */
  readonly waiting: string | null
  /** What a screen reader hears: without seconds, so that it speaks when something changed, not each second. */
  readonly spoken: string
}

/** `silentFor`: how long the server was not heard, ms; 0 while it is. Ages then are those of the last word. */
export function prepareTrustLine(
  status: PipelineStatus,
  trust: Trust | null,
  clock: number,
  silentFor = 0,
): TrustLine {
  const now = silentFor > 0 ? status.now : clock
  const lead = leadOf(status, now)
  const coded = trust !== null && currenciesIn(trust).size > 1
  const waiting = trust && total(trust.lateWaiting) > 0 ? waitingOf(trust.lateWaiting, coded) : null
  const parts = [behindOf(status, now)]
  if (status.catchingUp) parts.push('catching up')
  if (trust) parts.push(correctionsOf(trust.correctionsLastHour, coded))
  if (trust && !waiting) parts.push('no late orders waiting')
  const said = parts.filter((part) => part !== null)
  const alarm = alarmOf(status, silentFor)
  return { alarm, lead, parts: said, waiting, spoken: spokenOf(status, alarm, waiting) }
}

function alarmOf(status: PipelineStatus, silentFor: number): string | null {
  if (silentFor > 0) return `Stale for ${duration(silentFor)}`
  return status.trouble === null ? null : 'Results are not being written'
}

function leadOf(status: PipelineStatus, now: number): string {
  if (status.watermark !== null) {
    return `Complete to ${clockOf(status.zone).instant(completeTo(status.watermark), now)}`
  }
  return status.sources.length === 0 ? 'Nothing to count yet' : 'Nothing is complete yet'
}

function behindOf(status: PipelineStatus, now: number): string | null {
  if (status.sources.length === 0) return 'no source has sent an order'
  const never = status.sources.filter((source) => source.state === 'never')
  if (status.watermark === null) {
    return never.length > 0 ? `waiting for ${list(never.map((source) => source.name))}` : null
  }
  const behind = now - completeTo(status.watermark)
  if (status.sources.every((source) => source.state === 'idle')) {
    return `${duration(behind)} behind (every source is idle)`
  }
  return `${duration(Math.max(0, behind))} behind${slowestOf(status)}`
}

/** With one source there is no one to compare it with. */
function slowestOf(status: PipelineStatus): string {
  const holder = status.sources.find((source) => source.holdsBack)
  return holder && status.sources.length > 1 ? ` (${holder.name} is the slowest)` : ''
}

/** With two currencies on the line, each amount says which it is: "¥" alone is two. */
function currenciesIn({ correctionsLastHour, lateWaiting }: Trust): ReadonlySet<string> {
  return new Set([...correctionsLastHour, ...lateWaiting].map((entry) => entry.currency))
}

function correctionsOf(corrections: readonly MoneyCount[], coded: boolean): string {
  const windows = total(corrections)
  if (windows === 0) return 'no corrections in the last hour'
  const effects = corrections.map((c) => money(c.amount, c.currency, { signed: true, coded }))
  return `${counted(windows, 'correction')} in the last hour, ${list(effects)}`
}

function waitingOf(late: readonly MoneyCount[], coded: boolean): string {
  const waiting = late.filter((entry) => entry.count > 0)
  const amounts = waiting.map((entry) => money(entry.amount, entry.currency, { coded }))
  return `${counted(total(waiting), 'late order')} waiting, ${list(amounts)}`
}

function spokenOf(status: PipelineStatus, alarm: string | null, waiting: string | null): string {
  const complete =
    status.watermark === null
      ? 'Nothing is complete yet'
      : `Complete to ${clockOf(status.zone).minutes(completeTo(status.watermark))}`
  const first = alarm === null ? '' : `${alarm.replace(/ for .*/, '')}. `
  return `${first}${complete}. ${waiting ?? 'No late orders waiting'}.`
}

/** Counts of windows or orders may be added over currencies; their amounts never (field case 59). */
function total(entries: readonly MoneyCount[]): number {
  return entries.reduce((all, entry) => all + entry.count, 0)
}
