/** What a window shows, on every wire: amounts are decimal strings with 4 places, never numbers. */
export interface Measures {
  readonly gross: string
  readonly refunds: string
  /** gross − refunds */
  readonly net: string
  /** distinct orderId of `order` events */
  readonly orders: number
  /** distinct userId of `order` events */
  readonly buyers: number
  readonly events: number
}

export type WindowStatus = 'open' | 'fired' | 'closed' | 'superseded'

/** The key of a row: its currency, and a value for each dimension of the view (null where the events had none). */
export interface RowKey {
  readonly view: string
  readonly version: number
  /** `[start, end)`, ms */
  readonly start: number
  readonly end: number
  /** What tells the row's window from others of its view: its start; a cumulate window's end; a session's number. */
  readonly windowId: number
  readonly currency: string
  readonly dims: readonly (string | null)[]
}

export interface WindowRow extends RowKey, Measures {
  readonly status: WindowStatus
  /** 0 while open; 1 is the firing; each correction adds one. */
  readonly revision: number
  /** It fired because everybody was silent; the watermark has not reached its end (semantics.md §3). */
  readonly byInactivity: boolean
  /** Sources that were idle when the window fired: "complete without pos-3". */
  readonly leftOut: readonly string[]
  /** Journal time, ms; null while open. */
  readonly firedAt: number | null
  readonly updatedAt: number
  /** Pipeline watermark at the last change, ms; null when there was none. */
  readonly watermark: number | null
  /** Journal position of the flush that wrote the row. */
  readonly pos: number
  /**
   * Mergeable sketches of its orders and buyers, base64 (`contracts/sketch.ts`). null while open, in views that have
   * none (overlapping windows, sessions, very many keys), and on every wire: only spans are asked for by them.
   */
  readonly sketches: { readonly orders: string; readonly buyers: string } | null
}

export type RevisionKind = 'on-time' | 'correction' | 'reconciled' | 'superseded' | 'inactivity'

/** One published change of a row, append-only: why a number is what it is. */
export interface Revision extends RowKey {
  readonly revision: number
  readonly kind: RevisionKind
  /** null: the row was not published before (a first firing, or a correction from zero). */
  readonly before: Measures | null
  readonly after: Measures
  /** after.net − before.net, decimal string */
  readonly deltaNet: string
  /** Events behind the change, and up to 20 of their ids. */
  readonly eventCount: number
  readonly eventIds: readonly string[]
  /** How long after the window's end the change came, journal time, ms. */
  readonly lateBy: number
  readonly watermark: number | null
  /** Journal time, ms, and position of the record behind it. */
  readonly at: number
  readonly pos: number
  /** Who reconciled it; null for what the engine published by itself. */
  readonly by: string | null
}

/** An event that came after its base window closed (semantics.md §4, late side output). Unique per source and id. */
export interface LateEvent {
  readonly source: string
  readonly eventId: string
  readonly orderId: string
  readonly userId: string | null
  readonly type: 'order' | 'refund'
  readonly amount: string
  readonly currency: string
  readonly eventTime: number
  readonly dimensions: Readonly<Record<string, string>>
  /** The base window that it missed. */
  readonly windowStart: number
  readonly windowEnd: number
  /** Pipeline watermark when it came; how far past the window's close that was, ms. */
  readonly watermark: number | null
  readonly lateBy: number
  readonly receivedAt: number
  /** Where it stands: journal position, and row of that record's batch. */
  readonly position: number
  readonly row: number
  /** Times that this id came late. */
  readonly seen: number
}

/** An event that was counted, but not in every window it belongs to: some had closed (semantics.md §4, sliding base). */
export interface MissedWindows {
  readonly source: string
  readonly eventId: string
  readonly view: string
  readonly eventTime: number
  /** The closed windows: how many, the first one's start and the last one's end. */
  readonly windows: number
  readonly firstStart: number
  readonly lastEnd: number
  readonly watermark: number | null
  readonly receivedAt: number
  readonly position: number
  readonly row: number
}
