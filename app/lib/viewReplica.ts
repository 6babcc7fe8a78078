import type { Delta, Snapshot, Subscribe } from '@/server/contracts/liveMessage'
import type { RowKey, WindowRow } from '@/server/contracts/windowRow'

/**
 * The page's copy of one view's rows. It knows no socket, clock or React: messages go in, `ask` comes out.
 *
 * apart      the socket is down. Rows stay as they are; nothing is expected.
 *            → asking when the socket connects (asks with `since` = my position, or for everything the first time)
 * asking     a snapshot is on its way. Deltas that overtake it wait in `early`.
 *            → following when it comes: a full one replaces every row, a partial one is laid over them; then `early`
 *            → asking again, for everything, when it is partial and older than what it should build on
 * following  each delta is laid over the rows. Values are absolute: twice is harmless, going down is normal.
 *            → asking with `since` when a delta's `prev` is past my position: something was missed
 *            → asking for everything on `resync`, or when the range grows to the left
 * any        → apart when the socket goes down
 *
 * Memory is bounded by the range: rows that end before `from` go, and at most EARLY_MAX deltas wait.
 */
export type ReplicaState = 'apart' | 'asking' | 'following'

/** More than this and the wait is dropped; the gap then shows by itself and is asked for. */
const EARLY_MAX = 200
/** Our idea of the server's clock wavers with the network: at the turn of a minute the range may seem to step back. */
const JITTER_MS = 60_000

export class ViewReplica {
  state: ReplicaState = 'apart'
  /** Position of the last message held; null before the first snapshot. */
  pos: number | null = null
  /** Rises with every change of `rows`, so that a reader knows whether to look again. */
  edition = 0
  readonly #rows = new Map<string, WindowRow>()
  #early: Delta[] = []
  #view: string
  #from: number
  #ask: (message: Subscribe) => void

  constructor(view: string, from: number, ask: (message: Subscribe) => void) {
    this.#view = view
    this.#from = from
    this.#ask = ask
  }

  rows(): WindowRow[] {
    return [...this.#rows.values()]
  }

  connected(): void {
    this.#askFor(this.pos)
  }

  disconnected(): void {
    this.state = 'apart'
    this.#early = []
  }

  /** The server cannot build on what we hold, or a back-off after that has passed: everything anew. */
  askAfresh(): void {
    if (this.state !== 'apart') this.#askFor(null)
  }

  /** Moves the left end of the range: forward drops rows, backward needs rows that we never had. */
  startAt(from: number): void {
    if (from < this.#from && from >= this.#from - JITTER_MS) return
    const grows = from < this.#from
    this.#from = from
    if (grows) {
      this.pos = null
      this.askAfresh()
      return
    }
    for (const [key, row] of this.#rows) if (row.end <= from) this.#drop(key)
  }

  snapshot(message: Snapshot): void {
    if (message.view !== this.#view || this.state === 'apart') return
    if (message.partial && (this.pos === null || message.pos < this.pos)) {
      this.#askFor(null)
      return
    }
    if (!message.partial) this.#rows.clear()
    this.edition += 1
    this.pos = message.pos
    this.state = 'following'
    this.offer(message.windows)
    const early = this.#early
    this.#early = []
    for (const delta of early) this.delta(delta)
  }

  delta(message: Delta): void {
    if (message.view !== this.#view || this.state === 'apart') return
    if (this.state === 'asking') {
      if (this.#early.length >= EARLY_MAX) this.#early = []
      this.#early.push(message)
      return
    }
    if (this.pos === null || message.prev > this.pos) {
      this.#askFor(this.pos)
      return
    }
    if (message.pos < this.pos) return
    this.pos = message.pos
    this.offer(message.windows)
  }

  /** Lays rows over what is held, each by its own position: an older answer never puts an older value back. */
  offer(rows: readonly WindowRow[]): void {
    for (const row of rows) {
      const key = keyOf(row)
      const held = this.#rows.get(key)
      if (row.view !== this.#view || row.end <= this.#from || (held && held.pos > row.pos)) continue
      // Its orders moved to another session, whose row comes with the same message.
      if (row.status === 'superseded') this.#drop(key)
      else this.#rows.set(key, row)
      this.edition += 1
    }
  }

  #drop(key: string): void {
    this.#rows.delete(key)
    this.edition += 1
  }

  #askFor(since: number | null): void {
    this.state = 'asking'
    this.#early = []
    const base = { view: this.#view, filter: {}, from: this.#from }
    this.#ask(since === null ? base : { ...base, since })
  }
}

/** What makes a row unique (design.md §3): the same key absolutely replaces. */
export function keyOf(row: RowKey): string {
  return JSON.stringify([row.view, row.version, row.windowId, row.currency, row.dims])
}
