import type { Committed } from '../contracts/committed'
import type { Delta } from '../contracts/liveMessage'
import type { WindowRow } from '../contracts/windowRow'

/** All sockets that look at one view with one filter: a delta is made and encoded once for them all. */
export class Room {
  /** Position of the last delta; the `prev` of the next. */
  #pos: number

  constructor(
    readonly name: string,
    readonly view: string,
    private readonly wants: (row: WindowRow) => boolean,
    pos: number,
  ) {
    this.#pos = pos
  }

  /** What the flush means for this room; null when nothing. */
  next({ pos, watermark, rows }: Committed): Delta | null {
    const windows = rows.filter(this.wants)
    if (windows.length === 0) return null
    const delta = { view: this.view, prev: this.#pos, pos, windows, watermark }
    this.#pos = pos
    return delta
  }
}

export function roomName(view: string, filter: Readonly<Record<string, string>>): string {
  return JSON.stringify([view, Object.entries(filter).sort()])
}
