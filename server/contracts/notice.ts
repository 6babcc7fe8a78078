/** Something that an operator should know and no counter shows (semantics.md §2, §8). Said once when it begins. */
export type NoticeKind =
  /** More than half of a source's last 200 events were stale, or no longer so. */
  | 'resends_history'
  | 'resends_history_over'
  /** A window was full of keys: more fall into `__other__`. */
  | 'keys_over_cap'
  /** There were `maxSources` sources: further undeclared ones share a clock. */
  | 'sources_over_cap'
  /** Alignment: a pulled source ran ahead too far, or the others caught up. */
  | 'drift_over_limit'
  | 'drift_over'

export interface Notice {
  readonly kind: NoticeKind
  /** The source, or the view, that it is about. */
  readonly subject: string
  /** Journal time, ms, and position of the record behind it. */
  readonly at: number
  readonly position: number
}
