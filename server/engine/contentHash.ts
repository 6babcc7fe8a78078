import type { DimensionColumn, EventBatch } from '../contracts/eventBatch'
import { Scratch } from './scratch'

const TWO_32 = 0x1_0000_0000
const SEED = 0x2545f491

/**
 * A hash of everything about an event that an honest repeat repeats, for each row of a batch; its id and source are
 * what it is looked up by. Worked out column by column: five times as fast as row by row.
 */
export function contentHashes(batch: EventBatch, hashes: Int32Array, scratch = new Scratch()): Int32Array {
  const { count, eventTime, amountHi, amountLo, type } = batch
  const out = scratch.zeros('contents', count)
  for (let row = 0; row < count; row++) {
    const time = eventTime[row] ?? 0
    // One after the other: taken together, −1 and 0 are one time.
    let h = mix(mix(SEED, time | 0), Math.floor(time / TWO_32))
    h = mix(h, (amountHi[row] ?? 0) * 2 + (type[row] ?? 0))
    out[row] = mix(h, amountLo[row] ?? 0)
  }
  addColumn(out, batch.orderId, hashes)
  addColumn(out, batch.userId, hashes)
  addColumn(out, batch.currency, hashes)
  addDimensions(out, scratch.zeros('dimensions', count), batch.dimensions, hashes)
  return out
}

function addColumn(out: Int32Array, column: Uint32Array, hashes: Int32Array): void {
  for (let row = 0; row < out.length; row++) {
    out[row] = mix(out[row] ?? 0, hashes[(column[row] ?? 0) * 4] ?? 0)
  }
}

/** Added up, so that the order in which the dimensions were sent does not matter. */
function addDimensions(
  out: Int32Array,
  sums: Int32Array,
  dimensions: readonly DimensionColumn[],
  hashes: Int32Array,
): void {
  for (const { name, value } of dimensions) {
    const salt = nameHash(name)
    for (let row = 0; row < out.length; row++) {
      const index = value[row] ?? 0
      if (index !== 0) sums[row] = (sums[row] ?? 0) + mix(salt, hashes[index * 4] ?? 0)
    }
  }
  for (let row = 0; row < out.length; row++) out[row] = mix(out[row] ?? 0, sums[row] ?? 0)
}

function mix(h: number, k: number): number {
  let x = Math.imul(h ^ (k | 0), 0x9e3779b1)
  x ^= x >>> 15
  return Math.imul(x, 0x85ebca6b) ^ (x >>> 13)
}

function nameHash(name: string): number {
  let h = name.length
  for (let i = 0; i < name.length; i++) h = mix(h, name.charCodeAt(i))
  return h
}
