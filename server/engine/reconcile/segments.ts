import type { Scope } from '../windows/view'

/** A stretch of time `[from, to)`, ms, all of which the same scopes hold. */
export interface Segment {
  readonly from: number
  readonly to: number
  readonly scopes: readonly Scope[]
}

/** Cuts the times of scopes, which may overlap, where one begins or ends. In order; stretches without any are left out. */
export function segmentsOf(scopes: readonly Scope[]): Segment[] {
  const cuts = [...new Set(scopes.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const sorted = [...scopes].sort((a, b) => a.from - b.from)
  const segments: Segment[] = []
  let open: Scope[] = []
  let next = 0
  cuts.forEach((from, i) => {
    const to = cuts[i + 1]
    open = open.filter((scope) => scope.to > from)
    for (let scope = sorted[next]; scope && scope.from <= from; scope = sorted[next]) {
      open.push(scope)
      next++
    }
    if (to !== undefined && open.length > 0) segments.push({ from, to, scopes: [...open] })
  })
  return segments
}
