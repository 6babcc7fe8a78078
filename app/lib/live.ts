import type { Delta, Resync, Snapshot, Subscribe } from '@/server/contracts/liveMessage'
import type { PipelineStatus } from '@/server/contracts/status'
import type { Revision, WindowRow } from '@/server/contracts/windowRow'
import { ViewReplica } from './viewReplica'

/**
 * What the page hears from the server, as one value that React can read.
 *
 * connecting    started, nothing heard yet
 * live          the socket is up and a health message came within the last 5 s
 * reconnecting  the socket is down, what was last heard is no older than 5 s
 * stale         nothing heard for more than 5 s, whether the socket thinks it is up or not: a socket that is open
 *               and silent is as good as none, and a page that hides it lies about its numbers
 *
 * Every connect asks again for every watched view (field case 36: rooms and missed messages do not survive a drop).
 * A `resync` is answered at once, then after 1, 2, 4 … 30 s until a snapshot comes: a view that cannot be given must
 * not be asked for in a tight loop.
 * Painting: at most one a PAINT_MS, none while the tab is hidden, one when it is shown again. Between paints messages
 * only change maps whose size the range bounds (field case 60).
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stale'

export interface LiveSnapshot {
  readonly state: LiveState
  /** How long nothing was heard, ms; 0 while live. */
  readonly silentFor: number
  readonly health: PipelineStatus | null
  /** The server's clock, as well as we know it: ages on screen do not depend on this machine's clock. */
  readonly now: number
  /** Rows of each watched view. The same array until something in it changes. */
  readonly rows: Readonly<Record<string, readonly WindowRow[]>>
  /** Corrections heard since the page opened, newest first, the last CORRECTIONS_MAX. */
  readonly corrections: readonly Revision[]
}

/** The few things asked of a socket.io client; a test gives a plain object. */
export interface Wire {
  subscribe(message: Subscribe): void
  open(handlers: WireHandlers): void
  close(): void
}

export interface WireHandlers {
  connected(): void
  disconnected(): void
  snapshot(message: Snapshot): void
  delta(message: Delta): void
  resync(message: Resync): void
  corrections(message: { readonly revisions: readonly Revision[] }): void
  health(message: PipelineStatus): void
}

/** The page's surroundings: replaced in tests, so that nothing there waits for a real clock. */
export interface Surroundings {
  now(): number
  later(ms: number, run: () => void): () => void
  hidden(): boolean
}

export const STALE_AFTER_MS = 5_000
export const PAINT_MS = 500
export const CORRECTIONS_MAX = 200
const TICK_MS = 1_000
const RETRY_MAX_MS = 30_000

/** Left end of a watched range, from the server's clock. */
export type RangeStart = (now: number) => number

interface Watch {
  readonly replica: ViewReplica
  start: RangeStart
  refusals: number
  cancelRetry: () => void
  painted: { edition: number; rows: readonly WindowRow[] }
}

const nothing = () => {}

export class LiveFeed {
  readonly #wire: Wire
  readonly #around: Surroundings
  readonly #watches = new Map<string, Watch>()
  readonly #listeners = new Set<() => void>()
  #snapshot: LiveSnapshot
  #up = false
  #heardAt: number
  #heardOnce = false
  #offset = 0
  #health: PipelineStatus | null = null
  #corrections: readonly Revision[] = []
  #paintedAt = Number.NEGATIVE_INFINITY
  #paintWaits = false
  #cancelTick: (() => void) | null = null

  constructor(wire: Wire, around: Surroundings) {
    this.#wire = wire
    this.#around = around
    this.#heardAt = around.now()
    this.#snapshot = { ...INITIAL, now: around.now() }
  }

  // For useSyncExternalStore: both are bound, and `read` gives the same object until the next paint.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly read = (): LiveSnapshot => this.#snapshot

  start(): void {
    if (this.#cancelTick) return
    this.#heardAt = this.#around.now()
    this.#wire.open({
      connected: () => this.#connected(),
      disconnected: () => this.#disconnected(),
      snapshot: (message) => this.#gotSnapshot(message),
      delta: (message) => {
        this.#watches.get(message.view)?.replica.delta(message)
        this.#changed()
      },
      resync: (message) => this.#refused(message.view),
      corrections: (message) => this.#corrected(message.revisions),
      health: (message) => this.#heard(message),
    })
    this.#tick()
  }

  stop(): void {
    this.#cancelTick?.()
    this.#cancelTick = null
    this.#wire.close()
    this.#disconnected()
  }

  /** Follows a view from `start(now)` on; watching it again only moves the range. */
  watch(view: string, start: RangeStart): void {
    const known = this.#watches.get(view)
    if (known) {
      known.start = start
      known.replica.startAt(start(this.now()))
      return
    }
    const replica = new ViewReplica(view, start(this.now()), (message) => this.#wire.subscribe(message))
    const painted = { edition: -1, rows: [] }
    this.#watches.set(view, { replica, start, refusals: 0, cancelRetry: nothing, painted })
    if (this.#up) replica.connected()
  }

  /** Rows from a query: the first paint, and all there is where sockets do not get through. */
  offer(view: string, rows: readonly WindowRow[]): void {
    this.#watches.get(view)?.replica.offer(rows)
    this.#changed()
  }

  /** Learns the server's clock from any answer that carries it. */
  hearClock(serverNow: number): void {
    this.#offset = serverNow - this.#around.now()
  }

  /** The tab is visible again: show at once what came meanwhile. */
  shown(): void {
    this.#paint()
  }

  now(): number {
    return this.#around.now() + this.#offset
  }

  #connected(): void {
    this.#up = true
    for (const watch of this.#watches.values()) {
      watch.replica.startAt(watch.start(this.now()))
      watch.replica.connected()
    }
    this.#changed()
  }

  #disconnected(): void {
    this.#up = false
    for (const watch of this.#watches.values()) {
      watch.cancelRetry()
      watch.replica.disconnected()
    }
    this.#changed()
  }

  #gotSnapshot(message: Snapshot): void {
    const watch = this.#watches.get(message.view)
    if (!watch) return
    watch.refusals = 0
    watch.replica.snapshot(message)
    this.#changed()
  }

  #refused(view: string): void {
    const watch = this.#watches.get(view)
    if (!watch) return
    watch.cancelRetry()
    const wait = watch.refusals === 0 ? 0 : Math.min(RETRY_MAX_MS, 500 * 2 ** watch.refusals)
    watch.refusals += 1
    if (wait === 0) watch.replica.askAfresh()
    else watch.cancelRetry = this.#around.later(wait, () => watch.replica.askAfresh())
  }

  #corrected(revisions: readonly Revision[]): void {
    this.#corrections = [...[...revisions].reverse(), ...this.#corrections].slice(0, CORRECTIONS_MAX)
    this.#changed()
  }

  #heard(health: PipelineStatus): void {
    this.#health = health
    this.#heardAt = this.#around.now()
    this.#heardOnce = true
    this.hearClock(health.now)
    for (const { replica, start } of this.#watches.values()) replica.startAt(start(this.now()))
    this.#changed()
  }

  /** Keeps "stale for 42 s" running when nothing else moves. */
  #tick(): void {
    if (this.#state() !== 'live') this.#changed()
    this.#cancelTick = this.#around.later(TICK_MS, () => this.#tick())
  }

  #changed(): void {
    if (this.#paintWaits || this.#around.hidden()) return
    const wait = this.#paintedAt + PAINT_MS - this.#around.now()
    if (wait <= 0) {
      this.#paint()
      return
    }
    this.#paintWaits = true
    this.#around.later(wait, () => {
      this.#paintWaits = false
      if (!this.#around.hidden()) this.#paint()
    })
  }

  #paint(): void {
    this.#paintedAt = this.#around.now()
    const state = this.#state()
    this.#snapshot = {
      state,
      silentFor: state === 'live' ? 0 : this.#around.now() - this.#heardAt,
      health: this.#health,
      now: this.now(),
      rows: Object.fromEntries([...this.#watches].map(([view, watch]) => [view, rowsOf(watch)])),
      corrections: this.#corrections,
    }
    for (const listener of this.#listeners) listener()
  }

  #state(): LiveState {
    if (this.#around.now() - this.#heardAt > STALE_AFTER_MS) return 'stale'
    if (!this.#heardOnce) return 'connecting'
    return this.#up ? 'live' : 'reconnecting'
  }
}

function rowsOf(watch: Watch): readonly WindowRow[] {
  const { edition } = watch.replica
  if (watch.painted.edition !== edition) watch.painted = { edition, rows: watch.replica.rows() }
  return watch.painted.rows
}

export const INITIAL: LiveSnapshot = {
  state: 'connecting',
  silentFor: 0,
  health: null,
  now: 0,
  rows: {},
  corrections: [],
}
