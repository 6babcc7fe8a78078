import { createHash } from 'node:crypto'
import type { Revision } from '../../server/contracts/windowRow'
import type { Result } from './straightforward'

/**
 * What a subject published, by window, in a form that two processes can compare: number of revisions, and the sum of
 * the hashes of all of them, so that the order within a window does not matter. The last revision of a row is its
 * final value; all of them agree, or the subjects do not compute the same.
 */
export class Totals {
  #windows = new Map<string, { revisions: number; digest: bigint }>()

  add(result: Result): void {
    const { view, start, ...published } = result
    const line = Object.values(published).join(' ')
    const hash = createHash('sha1').update(line).digest().readBigUInt64LE()
    const name = `${view}@${new Date(start).toISOString()}`
    const window = this.#windows.get(name) ?? { revisions: 0, digest: 0n }
    window.revisions++
    window.digest = BigInt.asUintN(64, window.digest + hash)
    this.#windows.set(name, window)
  }

  /** `window → "revisions digest"` */
  summary(): Record<string, string> {
    return Object.fromEntries([...this.#windows].map(([name, w]) => [name, `${w.revisions} ${w.digest}`]))
  }
}

/** A revision of the engine in the words of the straightforward version. */
export function resultOf(revision: Revision): Result {
  const { view, start, kind, after } = revision
  return {
    view,
    start,
    key: [revision.currency, ...revision.dims].join('|'),
    kind,
    revision: revision.revision,
    gross: units(after.gross),
    refunds: units(after.refunds),
    orders: after.orders,
    buyers: after.buyers,
    events: after.events,
    watermark: revision.watermark,
  }
}

/** `12.3400` as 123400. */
function units(decimal: string): number {
  return Number(decimal.replace('.', ''))
}
