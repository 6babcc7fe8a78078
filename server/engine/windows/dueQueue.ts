/** What waits for an instant; `ordinal` tells which of two that are due together comes first. */
export interface Waiting {
  readonly ordinal: number
}

interface Entry<T> {
  readonly due: number
  readonly item: T
}

/**
 * Items by the instant at which they are due, earliest first, then by ordinal: a binary heap, since windows may be
 * born in any order. The order is total, so it does not depend on how the heap came about (snapshots rebuild it).
 */
export class DueQueue<T extends Waiting> {
  #heap: Entry<T>[] = []
  readonly #dueOf: ((item: T) => number) | null

  /** `dueOf`: of items that may become due later than was thought; they are put back in their new place. */
  constructor(dueOf: ((item: T) => number) | null = null) {
    this.#dueOf = dueOf
  }

  get size(): number {
    return this.#heap.length
  }

  /** When the first item is due; undefined when none waits. */
  get due(): number | undefined {
    return this.#heap[0]?.due
  }

  push(item: T, due: number): void {
    const entry = { due, item }
    const heap = this.#heap
    let i = heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent]
      if (above === undefined || before(above, entry)) break
      heap[i] = above
      i = parent
    }
    heap[i] = entry
  }

  /** Takes the first item if it is due at `now`. */
  popDue(now: number): T | null {
    for (;;) {
      const top = this.#heap[0]
      if (top === undefined || top.due > now) return null
      const last = this.#heap.pop()
      if (last !== undefined && this.#heap.length > 0) this.#sink(last)
      const due = this.#dueOf?.(top.item) ?? top.due
      if (due <= top.due) return top.item
      this.push(top.item, due)
    }
  }

  clear(): void {
    this.#heap = []
  }

  #sink(last: Entry<T>): void {
    const heap = this.#heap
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      let least = heap[child]
      const right = heap[child + 1]
      if (least !== undefined && right !== undefined && before(right, least)) {
        least = right
        child++
      }
      if (least === undefined || before(last, least)) break
      heap[i] = least
      i = child
    }
    heap[i] = last
  }
}

function before<T extends Waiting>(a: Entry<T>, b: Entry<T>): boolean {
  return a.due < b.due || (a.due === b.due && a.item.ordinal < b.item.ordinal)
}
