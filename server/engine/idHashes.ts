import type { EventBatch } from '../contracts/eventBatch'
import { Scratch } from './scratch'

/** Odd, so that no two sources are given one salt. */
const SOURCE_SALT = 0x9e3779b1

/**
 * Hashes of a batch's event ids, four words a row, each salted with its source: an id is unique within its source
 * only (semantics.md §6). Multiplied, so that the sum of source and id is not that of id and source.
 */
export function idHashes(batch: EventBatch, hashes: Int32Array, scratch = new Scratch()): Int32Array {
  const { count, eventId, source } = batch
  const out = scratch.zeros('ids', count * 4)
  for (let row = 0; row < count; row++) {
    const i = (eventId[row] ?? 0) * 4
    const s = (source[row] ?? 0) * 4
    for (let k = 0; k < 4; k++) {
      out[row * 4 + k] = (hashes[i + k] ?? 0) + Math.imul(hashes[s + k] ?? 0, SOURCE_SALT)
    }
  }
  return out
}
