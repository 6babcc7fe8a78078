import { KeyTable } from '../aggregate/keyTable'
import { PairSet } from '../aggregate/pairSet'
import { KeyedWindow } from '../windows/keyedWindow'
import type { WindowOf } from '../windows/windowState'
import type { SegmentReader, SegmentWriter } from './segment'
import { readBirth, restoreWindow, saveWindow } from './window'

export function saveKeyedWindow(window: KeyedWindow, out: SegmentWriter): void {
  saveWindow(window, out)
  const { count, slots, bytes, ends, others } = window.keys.save()
  out.number(count).column(slots).column(bytes).column(ends).column(others)
  out.column(window.distinct.save())
}

export function restoreKeyedWindow(of: WindowOf, from: SegmentReader): KeyedWindow {
  const window = new KeyedWindow(readBirth(of, from))
  restoreWindow(window, from)
  window.keys = KeyTable.restore({
    count: from.number(),
    slots: from.ints(),
    bytes: from.bytes(),
    ends: from.words(),
    others: from.words(),
  })
  window.distinct = PairSet.restore(from.ints())
  return window
}
