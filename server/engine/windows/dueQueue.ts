/** Items by the instant at which they are due, earliest first: a binary heap, since windows may be born in any order. */
export class DueQueue<T extends { readonly end: number }> {
  #heap: T[] = []

  get size(): number {
    return this.#heap.length
  }

  peek(): T | undefined {
    return this.#heap[0]
  }

  push(item: T): void {
    const heap = this.#heap
    let i = heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent]
      if (above === undefined || above.end <= item.end) break
      heap[i] = above
      i = parent
    }
    heap[i] = item
  }

  pop(): T | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (top !== undefined && last !== undefined && heap.length > 0) this.#sink(last)
    return top
  }

  #sink(item: T): void {
    const heap = this.#heap
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      let least = heap[child]
      const right = heap[child + 1]
      if (least !== undefined && right !== undefined && right.end < least.end) {
        least = right
        child++
      }
      if (least === undefined || least.end >= item.end) break
      heap[i] = least
      i = child
    }
    heap[i] = item
  }
}
