import { decimalOf, unitsOf } from '@/app/lib/format/decimal'
import { duration } from '@/app/lib/format/duration'
import { money } from '@/app/lib/format/money'
import { counted } from '@/app/lib/format/number'
import { clockOf } from '@/app/lib/format/time'
import { keyOf } from '@/app/lib/viewReplica'
import type { Revision } from '@/server/contracts/windowRow'

export interface CorrectionLine {
  readonly key: string
  /** When it was published, journal time. */
  readonly time: string
  /** "38 events corrected 12 windows", "1 event, window 14:03–14:04" */
  readonly what: string
  /** "rev 2, 1 min 12 s after its end" */
  readonly detail: string
  readonly delta: string
  readonly direction: 'up' | 'down' | 'none'
}

export interface CorrectionsInput {
  readonly queried: readonly Revision[]
  readonly live: readonly Revision[]
  readonly zone: string
  readonly now: number
  readonly limit: number
}

/** One line a journal record and currency, newest first: a storm of late orders reads as one event. */
export function prepareCorrections(input: CorrectionsInput): readonly CorrectionLine[] {
  const groups = byRecord(unique([...input.live, ...input.queried]))
  const coded = new Set([...input.live, ...input.queried].map((r) => r.currency)).size > 1
  return [...groups.entries()]
    .sort(([, a], [, b]) => (b[0]?.pos ?? 0) - (a[0]?.pos ?? 0))
    .slice(0, input.limit)
    .flatMap(([key, revisions]) => lineOf(key, revisions, input, coded))
}

function byRecord(revisions: readonly Revision[]): Map<string, Revision[]> {
  const groups = new Map<string, Revision[]>()
  for (const revision of revisions) {
    const key = `${revision.pos}|${revision.currency}`
    groups.set(key, [...(groups.get(key) ?? []), revision])
  }
  return groups
}

/** The query and the socket may tell of the same revision: it is listed once. */
export function unique(revisions: readonly Revision[]): readonly Revision[] {
  return [...new Map(revisions.map((r) => [`${keyOf(r)}#${r.revision}`, r])).values()]
}

function lineOf(
  key: string,
  revisions: readonly Revision[],
  input: CorrectionsInput,
  coded: boolean,
): CorrectionLine[] {
  const [first] = revisions
  if (!first) return []
  const clock = clockOf(input.zone)
  const delta = revisions.reduce((sum, r) => sum + unitsOf(r.deltaNet), 0n)
  const events = counted(
    revisions.reduce((sum, r) => sum + r.eventCount, 0),
    'event',
  )
  const one = revisions.length === 1
  return [
    {
      key,
      time: clock.instant(first.at, input.now),
      what: one
        ? `${events}, window ${clock.span(first.start, first.end, first.at)}`
        : `${events} corrected ${counted(revisions.length, 'window')}`,
      detail: one
        ? `rev ${first.revision}, ${duration(first.lateBy)} after its end${kindOf(first)}`
        : spanOf(revisions, input.zone, first.at),
      delta: money(decimalOf(delta), first.currency, { signed: true, coded }),
      direction: delta > 0n ? 'up' : delta < 0n ? 'down' : 'none',
    },
  ]
}

function kindOf(revision: Revision): string {
  return revision.kind === 'reconciled' ? ', reconciled by hand' : ''
}

function spanOf(revisions: readonly Revision[], zone: string, at: number): string {
  const from = Math.min(...revisions.map((r) => r.start))
  const to = Math.max(...revisions.map((r) => r.end))
  return `windows from ${clockOf(zone).span(from, to, at)}`
}
