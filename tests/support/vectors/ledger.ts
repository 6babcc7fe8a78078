import type { Revision } from '@/server/contracts/windowRow'
import type { Coding } from './coding'
import type { Seen } from './drive'

/** One result that came out of a window, as streaming systems emit them. */
export interface Emission {
  readonly step: number
  readonly key: string | null
  readonly start: number
  readonly end: number
  /** null: what was emitted for this window before holds no more (a session that became another). */
  readonly content: bigint | null
  readonly timing: 'early' | 'on-time' | 'late'
  /** How many results of this row came before. */
  readonly index: number
  /** The window closed in the same step: none will follow. */
  readonly last: boolean
}

const keyOf = ({ dims }: Revision) => dims[0] ?? null
const rowOf = (revision: Revision) => `${revision.windowId} ${JSON.stringify(revision.dims)}`

/**
 * Results as Flink and Beam fire them: our on-time and correction revisions. Discarding, each holds what came since
 * the one before: a session that took in published ones (our `superseded` revisions, which others have not) is told
 * without what those had told.
 */
export function firings(seen: readonly Seen[], coding: Coding, discarding: boolean): Emission[] {
  const told = new Told(coding)
  return seen.flatMap(({ revisions, closed }, step) => {
    const gone = new Set(closed.map(({ windowId }) => windowId))
    for (const revision of revisions) if (revision.kind === 'superseded') told.supersede(revision)
    return revisions
      .filter(({ kind }) => kind !== 'superseded')
      .map((revision): Emission => {
        const total = coding.contentOf(revision.after)
        const before = told.before(revision)
        return {
          step,
          key: keyOf(revision),
          start: revision.start,
          end: revision.end,
          content: discarding ? total - before : total,
          timing: revision.kind === 'correction' ? 'late' : 'on-time',
          index: revision.revision - 1,
          last: gone.has(revision.windowId),
        }
      })
  })
}

/** What results have told of the sessions that others took in. */
class Told {
  readonly #coding: Coding
  #superseded: Revision[] = []

  constructor(coding: Coding) {
    this.#coding = coding
  }

  supersede(revision: Revision): void {
    this.#superseded.push(revision)
  }

  /** Content that was told before this revision, of its row and of the sessions that it took in since. */
  before(revision: Revision): bigint {
    const taken = this.#superseded.filter(
      (old) => keyOf(old) === keyOf(revision) && revision.start <= old.start && old.end <= revision.end,
    )
    this.#superseded = this.#superseded.filter((old) => !taken.includes(old))
    return [revision, ...taken].reduce(
      (sum, { before }) => sum + (before === null ? 0n : this.#coding.contentOf(before)),
      0n,
    )
  }
}

/** Results that come once, when the window closes: what the last revision of each of its rows told. */
export function finals(seen: readonly Seen[], coding: Coding): Emission[] {
  const rows = new Map<string, Revision>()
  return seen.flatMap(({ revisions, closed }, step) => {
    keep(rows, revisions)
    const gone = new Set(closed.map(({ windowId }) => windowId))
    return [...rows.values()]
      .filter(({ windowId }) => gone.has(windowId))
      .map((row): Emission => ({ ...totalOf(row, coding, step), timing: 'on-time', last: true }))
  })
}

/**
 * Results that come with every change: the rows whose number of events differs from the step before, by the
 * revisions that there would be if the stream ended behind each step.
 */
export function updates(ifEnded: readonly (readonly Revision[])[], seen: readonly Seen[], coding: Coding) {
  let before = new Map<string, Revision>()
  const fired = new Set<number>()
  return ifEnded.flatMap((revisions, step) => {
    const rows = new Map<string, Revision>()
    keep(rows, revisions)
    const changed = [...rows].filter(([row, { after }]) => before.get(row)?.after.events !== after.events)
    const emitted = changed.map(([, row]): Emission => {
      const timing = fired.has(row.windowId) ? 'late' : 'early'
      return { ...totalOf(row, coding, step), timing, last: false }
    })
    const retracted = [...before].filter(([row, old]) => !sameSpan(rows.get(row), old))
    const nulls = retracted.map(
      ([, old]): Emission => ({ ...totalOf(old, coding, step), content: null, timing: 'early', last: false }),
    )
    for (const { windowId, kind } of seen[step]?.revisions ?? []) if (kind === 'on-time') fired.add(windowId)
    before = rows
    return [...emitted, ...nulls]
  })
}

function totalOf(row: Revision, coding: Coding, step: number) {
  const { start, end, after, revision } = row
  return { step, key: keyOf(row), start, end, content: coding.contentOf(after), index: revision - 1 }
}

function sameSpan(a: Revision | undefined, b: Revision): boolean {
  return a !== undefined && a.start === b.start && a.end === b.end
}

/** The last revision of each row that stands. */
function keep(rows: Map<string, Revision>, revisions: readonly Revision[]): void {
  for (const revision of revisions) {
    if (revision.kind === 'superseded') rows.delete(rowOf(revision))
    else rows.set(rowOf(revision), revision)
  }
}

/** The last revision of each row that stands, after all of these. */
export function standing(revisions: readonly Revision[]): readonly Revision[] {
  const rows = new Map<string, Revision>()
  keep(rows, revisions)
  return [...rows.values()]
}
