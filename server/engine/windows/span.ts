/** `[start, end)` in ms. */
export interface Span {
  readonly start: number
  readonly end: number
}
