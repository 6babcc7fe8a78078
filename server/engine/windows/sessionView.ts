import { type Instant, MAX_INSTANT, MIN_INSTANT } from '../../contracts/instant'
import type { ViewSpec } from '../../contracts/viewSpec'
import type { BatchKeys, KeysByGrouping } from '../aggregate/batchKeys'
import { NO_VALUES } from '../aggregate/measures'
import type { Emitter } from '../emitter'
import type { TouchedRows } from '../row'
import type { SegmentReader, SegmentWriter } from '../snapshot/segment'
import { restoreSessions, saveSessions } from '../snapshot/sessions'
import { Closing } from './closing'
import { DueQueue } from './dueQueue'
import { fireAgain } from './fireAgain'
import { type LiveKey, LiveKeys } from './liveKeys'
import { Session } from './session'
import type { BaseView, Changed, EventInHand, LateWindow, Passing, Place, Scope } from './view'
import type { ViewParts } from './windowedView'

/**
 * Sessions by key (semantics.md §4): an event makes `[ts, ts + gap)` and is merged with the sessions of its key that
 * this overlaps or touches. A published session that is swallowed is superseded: retracted, and replaced by a new one
 * in the same transaction, so no order is on screen twice. A closed session is not merged again.
 */
export class SessionView implements BaseView {
  spec: ViewSpec
  readonly isBase: boolean
  readonly missed = null
  readonly #parts: ViewParts
  readonly #gap: number
  /** Live sessions by key, by start. */
  readonly #sessions = new Map<number, Session[]>()
  readonly #toFire = new DueQueue<Session>((session) => session.end - 1)
  readonly #toClose: Closing<Session>
  #names = new LiveKeys()
  #numbered = 0
  #keys: BatchKeys | null = null
  #holder = 0

  constructor(spec: ViewSpec, gap: number, isBase: boolean, parts: ViewParts) {
    this.spec = spec
    this.isBase = isBase
    this.#parts = parts
    this.#gap = gap
    // An event at a session's very end touches it.
    this.#toClose = new Closing(parts.closing, parts.horizon, (session) => session.end)
  }

  get openCount(): number {
    let count = 0
    for (const session of this.windows()) if (!session.fired) count++
    return count
  }

  get firedCount(): number {
    let count = 0
    for (const session of this.windows()) if (session.fired) count++
    return count
  }

  get holder(): number {
    return this.#holder
  }

  beginBatch(keys: KeysByGrouping): void {
    this.#keys = keys.of(this.spec.groupBy)
    this.#names.beginBatch()
  }

  lateFor(event: EventInHand): LateWindow | null {
    const key = this.#names.peek(this.#looked(event), event.row, this.spec.maxKeys)
    const proto = { start: event.eventTime, end: event.eventTime + this.#gap }
    if (key && this.#touching(key, proto).length > 0) return null
    return this.#parts.horizon.isClosed(proto.end) ? proto : null
  }

  count(event: EventInHand, emit: Emitter): boolean {
    const key = this.#names.keyOf(this.#looked(event), event.row, this.spec.maxKeys)
    if (key.isOther) {
      event.overflow = true
      emit.overflowed.add(this.spec.id)
    }
    const proto = { start: event.eventTime, end: event.eventTime + this.#gap }
    const joined = this.#touching(key, proto)
    const wasPublished = joined.some((session) => session.cells.revision(0) > 0)
    const session = this.#join(key, proto, joined, event, emit)
    add(session, event)
    this.#holder = session.ordinal
    emit.touch(session, 0)
    if (session.fired) emit.correct(session, 0, event.batch, event.row, event.watermark)
    return session.fired || wasPublished
  }

  /** Sessions are not reconciled: who asks is told so before (engine/reconcile). */
  placesOf(): Place[] {
    throw new RangeError('sessions are not reconciled')
  }

  recount(): Changed[] {
    throw new RangeError('sessions are not reconciled')
  }

  scopeOf(): Scope | null {
    throw new RangeError('sessions are not reconciled')
  }

  takeOut(): Changed[] {
    throw new RangeError('sessions are not reconciled')
  }

  /** The session that the event makes or joins, grown to hold it, with what it swallows taken in. */
  #join(
    key: LiveKey,
    proto: LateWindow,
    joined: readonly Session[],
    event: EventInHand,
    emit: Emitter,
  ): Session {
    const start = Math.min(proto.start, ...joined.map((s) => s.start))
    const end = Math.max(proto.end, ...joined.map((s) => s.end))
    const published = joined.filter((s) => s.cells.revision(0) > 0)
    const fired = event.watermark >= end - 1
    const kept = lowestNumber(fired ? published : published.length > 0 ? [] : joined)
    const session = kept ?? this.#open(key, start, end, event, fired)
    session.start = start
    session.end = end
    for (const swallowed of joined) if (swallowed !== session) this.#swallow(session, swallowed, event, emit)
    const others = (this.#sessions.get(key.id) ?? []).filter((s) => s !== session && !s.superseded)
    this.#sessions.set(
      key.id,
      [...others, session].sort((a, b) => a.start - b.start),
    )
    return session
  }

  #swallow(session: Session, swallowed: Session, event: EventInHand, emit: Emitter): void {
    session.takeIn(swallowed)
    session.replaces = true
    const waits = swallowed.pending.get(0)
    swallowed.pending.clear()
    if (waits && session.fired) emit.carryOver(session, waits)
    const { at, watermark } = event
    swallowed.cells.setValues(0, NO_VALUES)
    swallowed.superseded = true
    if (swallowed.cells.revision(0) === 0) emit.touch(swallowed, 0)
    else emit.publish(swallowed, 0, { kind: 'superseded', at, watermark, eventCount: 0 })
  }

  #open(key: LiveKey, start: number, end: number, event: EventInHand, fired: boolean): Session {
    const { nextOrdinal, horizon } = this.#parts
    const of = { view: this.spec.id, version: this.spec.version }
    const birth = {
      of,
      start,
      end,
      windowId: ++this.#numbered,
      ordinal: nextOrdinal(),
      lateness: horizon.lateness,
    }
    const session = new Session(birth, key.parts, key.id)
    session.fired = fired
    if (fired) session.leftOut = event.leftOut()
    else this.#toFire.push(session, end - 1)
    this.#toClose.add(session)
    return session
  }

  fireDue(passing: Passing, emit: Emitter): void {
    const now = passing.watermark
    for (let session = this.#toFire.popDue(now); session; session = this.#toFire.popDue(now)) {
      if (session.superseded) continue
      if (session.fired) fireAgain(session, passing, emit)
      else this.#fire(session, 'on-time', passing, emit)
    }
  }

  fireAll(passing: Passing, emit: Emitter): void {
    const open = [...this.windows()].filter((session) => !session.fired)
    for (const session of open.sort((a, b) => a.end - b.end || a.ordinal - b.ordinal)) {
      session.byInactivity = true
      this.#fire(session, 'inactivity', passing, emit)
    }
  }

  #fire(session: Session, kind: 'on-time' | 'inactivity', passing: Passing, emit: Emitter): void {
    session.fired = true
    session.leftOut = passing.leftOut
    emit.fire(session, kind, passing)
  }

  closeDue(passing: Passing, emit: Emitter, released: (ordinal: number) => void): void {
    const now = passing.watermark
    for (const session of this.#toClose.take(now)) {
      if (session.superseded) continue
      this.#forget(session)
      if (this.isBase) this.#parts.horizon.pass(session.end)
      emit.close(session)
      for (const ordinal of session.holders) released(ordinal)
    }
  }

  #forget(session: Session): void {
    const rest = (this.#sessions.get(session.keyId) ?? []).filter((other) => other !== session)
    if (rest.length > 0) this.#sessions.set(session.keyId, rest)
    else {
      this.#sessions.delete(session.keyId)
      this.#names.drop(session.keyId)
    }
  }

  reschedule(): void {
    this.#toClose.clear()
    for (const session of this.windows()) this.#toClose.add(session)
  }

  /** A session view is the base of nothing else. */
  closesLatest(): Instant {
    return MIN_INSTANT
  }

  firstStart(): Instant {
    return MAX_INSTANT
  }

  *liveRows(): Iterable<TouchedRows> {
    for (const session of this.windows()) yield { group: session, ordinals: [0] }
  }

  *windows(): Iterable<Session> {
    for (const sessions of this.#sessions.values()) yield* sessions
  }

  size(): { distinct: number; rows: number; keys: number } {
    const size = { distinct: 0, rows: 0, keys: this.#names.bytes }
    for (const session of this.windows()) {
      size.distinct += session.distinct.bytes
      size.rows += session.cells.bytes
    }
    return size
  }

  save(out: SegmentWriter): void {
    saveSessions({ numbered: this.#numbered, names: this.#names, sessions: [...this.windows()] }, out)
  }

  restore(from: SegmentReader): void {
    const parts = restoreSessions({ view: this.spec.id, version: this.spec.version }, from)
    this.#numbered = parts.numbered
    this.#names = parts.names
    for (const session of parts.sessions) {
      this.#sessions.set(session.keyId, [...(this.#sessions.get(session.keyId) ?? []), session])
      if (!session.fired || session.byInactivity) this.#toFire.push(session, session.end - 1)
      this.#toClose.add(session)
    }
  }

  #looked(event: EventInHand): BatchKeys {
    if (this.#keys === null) throw new RangeError('no batch')
    this.#keys.look(event.row)
    return this.#keys
  }

  #touching(key: LiveKey, proto: LateWindow): Session[] {
    const sessions = this.#sessions.get(key.id) ?? []
    return sessions.filter((session) => session.start <= proto.end && proto.start <= session.end)
  }
}

function lowestNumber(sessions: readonly Session[]): Session | null {
  let lowest: Session | null = null
  for (const session of sessions) if (!lowest || session.windowId < lowest.windowId) lowest = session
  return lowest
}

function add(session: Session, event: EventInHand): void {
  const { cells } = session
  cells.addEvent(0)
  if (!event.isOrder) {
    cells.addRefund(0, event.amountHi, event.amountLo)
    return
  }
  cells.addOrder(0, event.amountHi, event.amountLo)
  session.addOrderId(event.hashes, event.orderHash)
  if (event.userHash >= 0) session.addBuyer(event.hashes, event.userHash)
}
