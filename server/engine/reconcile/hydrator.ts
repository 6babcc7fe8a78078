import type { LateCommand } from '../../contracts/command'
import { EventBatchBuilder } from '../../contracts/eventBatch'
import { otherKey } from '../aggregate/batchKeys'
import type { EngineState, PipelineState } from '../state'
import { MOST_SKETCHED } from '../windows/keyedWindow'
import { type EventInHand, type Scope, windowName } from '../windows/view'
import { Hand } from './hand'
import { type Hydration, pastName, type StoredWindow, type Touch } from './hydration'
import type { Judged } from './judge'
import { PastRow } from './pastRow'
import { PastScan, type Searched } from './pastScan'

/** A closed window that a command touches, with the keys under which its rows may stand. */
export interface WantedWindow {
  readonly view: string
  readonly version: number
  readonly windowId: number
  /** Texts of the keys; of each event its own and its overflow. */
  readonly keys: ReadonlySet<string>
}

/** What is stored of a wanted window, as of the command. */
export interface FoundWindow extends StoredWindow {
  /** Rows that are not overflow ones. */
  readonly ownRows: number
}

type Unresolved = Omit<Touch, 'key' | 'isOther'> & { readonly own: string; readonly other: string }

/**
 * Works out what the fold of a command that changes windows needs, in three steps between which its caller reads the
 * store and the journal: which closed windows it touches (`wanted`), which rows those are (`resolve`), and what else
 * was counted in them (`scans`). Pure: it reads the state as it stands before the command, and nothing else.
 */
export class Hydrator {
  readonly #judged: Judged
  readonly #reinject: boolean
  readonly #pipeline: PipelineState
  readonly #hand: Hand
  readonly #events: readonly EventInHand[]
  readonly #unresolved: readonly Unresolved[]
  #touches: readonly Touch[] = []
  #stored: ReadonlyMap<string, FoundWindow> = new Map()
  readonly #past = new Map<string, PastRow>()

  constructor(state: EngineState, pipeline: PipelineState, kind: LateCommand['kind'], judged: Judged) {
    this.#judged = judged
    this.#reinject = kind === 'reinject'
    this.#pipeline = pipeline
    const builder = new EventBatchBuilder()
    for (const { event } of judged.accepted) if (event) builder.add(event)
    const hand = new Hand(state, pipeline, builder.build())
    this.#hand = hand
    this.#events = Array.from({ length: hand.batch.count }, (_, row) => hand.take(row))
    this.#unresolved = this.#closedTouches(state)
  }

  /** Window changes that the command makes in closed windows. */
  get changes(): number {
    return this.#unresolved.length
  }

  #closedTouches(state: EngineState): Unresolved[] {
    const now = { at: state.at, watermark: state.clock.watermark }
    return this.#pipeline.views.flatMap((view) => {
      const keys = this.#hand.keys.of(view.spec.groupBy)
      return this.#events.flatMap(({ row, eventTime, at }) => {
        const closed = view.placesOf(eventTime, at, now).filter((place) => place.closed)
        if (closed.length === 0) return []
        const parts = keys.partsOf(row)
        const texts = { own: parts.text, other: parts.dims.length > 0 ? otherKey(parts).text : parts.text }
        return closed.map(({ windowId, start, end }) => ({ row, view, windowId, start, end, ...texts }))
      })
    })
  }

  wanted(): WantedWindow[] {
    const windows = new Map<string, WantedWindow & { readonly keys: Set<string> }>()
    for (const { view, windowId, own, other } of this.#unresolved) {
      const { id, version } = view.spec
      const name = windowName(id, windowId)
      const wanted = windows.get(name) ?? { view: id, version, windowId, keys: new Set<string>() }
      windows.set(name, wanted)
      wanted.keys.add(own).add(other)
    }
    return [...windows.values()]
  }

  /**
   * Decides under which key each event stands: its own where it has a row, `__other__` where the window has no room
   * for it. `found` holds what is stored of the wanted windows, by `windowName`. Returns the windows of which all
   * keys must be known: those in which a row of folded keys is touched.
   */
  resolve(found: ReadonlyMap<string, FoundWindow>): WantedWindow[] {
    this.#stored = found
    const made = new Map<string, Set<string>>()
    this.#touches = this.#unresolved.map((touch) => this.#resolved(touch, made))
    const folded = new Set(
      this.#touches
        .filter(({ isOther }) => isOther)
        .map(({ view, windowId }) => windowName(view.spec.id, windowId)),
    )
    return this.wanted().filter(({ view, windowId }) => folded.has(windowName(view, windowId)))
  }

  #resolved({ own, other, ...touch }: Unresolved, made: Map<string, Set<string>>): Touch {
    const name = windowName(touch.view.spec.id, touch.windowId)
    const stored = this.#stored.get(name)
    const fresh = made.get(name) ?? new Set<string>()
    made.set(name, fresh)
    const has = (key: string) => stored?.rows.has(key) === true || fresh.has(key)
    if (has(own) || own === other) return { ...touch, key: own, isOther: false }
    const full = (stored?.ownRows ?? 0) + fresh.size >= touch.view.spec.maxKeys
    if (full || has(other) || !this.#reinject) return { ...touch, key: other, isOther: true }
    fresh.add(own)
    return { ...touch, key: own, isOther: false }
  }

  /** What to pass over in the journal: by event time, and by journal time. `keysOf` has the keys of folded windows. */
  scans(keysOf: ReadonlyMap<string, ReadonlySet<string>>): { byEvent: PastScan; byJournal: PastScan } {
    const searched = this.#pipeline.views.map((view): Searched => {
      const scopes = new Map<string, Scope>()
      for (const { scope, row, sketched } of this.#scopesOf(view, keysOf)) {
        const name = pastName(scope.name, scope.key)
        scopes.set(name, scopes.get(name) ?? scope)
        this.#want(name, row, sketched)
      }
      return {
        byJournal: view.spec.time === 'journal',
        groupBy: view.spec.groupBy,
        scopes: [...scopes.values()],
      }
    })
    const scan = (byJournal: boolean) =>
      new PastScan(
        searched.filter((s) => s.byJournal === byJournal && s.scopes.length > 0),
        this.#past,
        this.#voided(),
      )
    return { byEvent: scan(false), byJournal: scan(true) }
  }

  *#scopesOf(view: PipelineState['views'][number], keysOf: ReadonlyMap<string, ReadonlySet<string>>) {
    const tumbles = view.spec.window.kind === 'tumbling' || view.spec.window.kind === 'calendar'
    for (const touch of this.#touches) {
      if (touch.view !== view) continue
      const name = windowName(view.spec.id, touch.windowId)
      const own = keysOf.get(name)
      const isOwn: Scope['isOwn'] = (keys, row) => own?.has(keys.partsOf(row).text) ?? false
      const { key, isOther, start, end } = touch
      const sketched = tumbles && (this.#stored.get(name)?.ownRows ?? 0) < MOST_SKETCHED
      yield { scope: { name, from: start, to: end, key, isOther, isOwn }, row: touch.row, sketched }
    }
    if (this.#reinject) return
    for (const event of this.#events) {
      const scope = view.scopeOf(event)
      if (scope) yield { scope, row: event.row, sketched: false }
    }
  }

  #want(name: string, row: number, sketched: boolean): void {
    const past = this.#past.get(name) ?? new PastRow(sketched)
    this.#past.set(name, past)
    const event = this.#events[row]
    if (!event?.isOrder) return
    past.orders.want(event.hashes, event.orderHash)
    if (event.userHash >= 0) past.buyers.want(event.hashes, event.userHash)
  }

  #voided(): Map<number, Set<number>> {
    const voided = new Map<number, Set<number>>()
    if (this.#reinject) return voided
    for (const { place } of this.#judged.accepted) {
      const rows = voided.get(place.position) ?? new Set<number>()
      voided.set(place.position, rows.add(place.row))
    }
    return voided
  }

  done(): Hydration {
    const { batch } = this.#hand
    return { judged: this.#judged, batch, touches: this.#touches, stored: this.#stored, past: this.#past }
  }
}
