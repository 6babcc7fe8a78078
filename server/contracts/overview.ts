/** Figures of the current business day in one currency. Amounts are decimal strings. */
export interface TodayFigures {
  readonly currency: string
  readonly gross: string
  readonly refunds: string
  readonly net: string
  readonly orders: number
  readonly buyers: number
  readonly events: number
}

/** What the dashboard opens with. `today` comes from the day view; currencies are never added (field case 59). */
export interface Overview {
  readonly now: number
  readonly zone: string
  /** `[start, end)` of the business day, ms. */
  readonly dayStart: number
  readonly dayEnd: number
  readonly today: readonly TodayFigures[]
  readonly trust: Trust
}

export interface MoneyCount {
  readonly currency: string
  readonly count: number
  readonly amount: string
}

/** The parts of the trust line (design.md §5). */
export interface Trust {
  /** Net effect of corrections in the last hour, by currency; `count` counts the corrections that the feed lists. */
  readonly correctionsLastHour: readonly MoneyCount[]
  /** Late orders that wait in the late store, by currency. */
  readonly lateWaiting: readonly MoneyCount[]
}
