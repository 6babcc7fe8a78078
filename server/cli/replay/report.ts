import { createHash } from 'node:crypto'
import { finiteOrNull } from '../../contracts/instant'
import type { Measures, Revision } from '../../contracts/windowRow'
import { toMeasures } from '../../engine/aggregate/measures'
import type { EngineState } from '../../engine/state'

type Values = Omit<Measures, 'net'>

interface Published extends Values {
  readonly kind: string
}

interface ReportedWindow {
  readonly start: number
  readonly end: number
  readonly key: string
  readonly currency: string
  first: Published | null
  last: Published | null
  emissions: number
  truth: Values | null
}

/** Collects what a replay published, in the shape of `acceptance/*.expected.json.gz`. */
export class ReplayReport {
  readonly #windows = new Map<string, ReportedWindow>()
  readonly #lateIds: string[] = []

  addRevision(revision: Revision): void {
    const window = this.#window(revision.start, revision.end, revision.currency, revision.dims)
    const { net: _, ...values } = revision.after
    const published = { ...values, kind: revision.kind }
    window.first ??= published
    window.last = published
    window.emissions++
  }

  addLate(eventId: string): void {
    this.#lateIds.push(eventId)
  }

  /** Takes the truth from a fold in which nothing is ever late: what all events together come to. */
  addTruth(everything: EngineState): void {
    for (const { group, ordinals } of everything.pipeline?.base.liveRows() ?? []) {
      for (const ordinal of ordinals) {
        const { start, end, key, values } = group.row(ordinal)
        const { net: _, ...measures } = toMeasures(values)
        this.#window(start, end, key.currency, key.dims).truth = measures
      }
    }
  }

  toJson(state: EngineState, watermarkAtEnd: number) {
    const { received, quarantined, duplicate, inTime, corrected, late } = state.counts
    return {
      events: received - quarantined,
      duplicates: duplicate,
      quarantined,
      layers: { inTime, corrected, sideOutput: late },
      watermarkAtEnd: finiteOrNull(watermarkAtEnd),
      lateEventIdsSha256: createHash('sha256').update(this.#lateIds.join('\n')).digest('hex'),
      windows: [...this.#windows.values()].sort(byStartThenKey),
    }
  }

  get windows(): number {
    return this.#windows.size
  }

  #window(start: number, end: number, currency: string, dims: readonly (string | null)[]): ReportedWindow {
    const id = JSON.stringify([start, currency, ...dims])
    const known = this.#windows.get(id)
    if (known) return known
    const key = dims.map((value) => value ?? '').join(' | ')
    const window = { start, end, key, currency, first: null, last: null, emissions: 0, truth: null }
    this.#windows.set(id, window)
    return window
  }
}

function byStartThenKey(a: ReportedWindow, b: ReportedWindow): number {
  if (a.start !== b.start) return a.start - b.start
  const [x, y] = [a.key + a.currency, b.key + b.currency]
  return x < y ? -1 : x > y ? 1 : 0
}
