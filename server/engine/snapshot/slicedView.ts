import { Differences } from '../windows/differences'
import type { LiveKeys } from '../windows/liveKeys'
import { Occurrences } from '../windows/occurrences'
import { SlicedWindow } from '../windows/slicedWindow'
import type { WindowOf } from '../windows/windowState'
import { restoreLiveKeys, saveLiveKeys } from './liveKeys'
import type { SegmentReader, SegmentWriter } from './segment'
import { readBirth, restoreWindow, saveWindow } from './window'

/** Everything of a sliced view that outlives a record. Slices are looked at anew. */
export interface SlicedParts {
  readonly passed: number
  readonly names: LiveKeys
  readonly differences: Differences
  readonly occurrences: Occurrences
  readonly windows: readonly SlicedWindow[]
}

export function saveSliced(parts: SlicedParts, out: SegmentWriter): void {
  out.number(parts.passed)
  saveLiveKeys(parts.names, out)
  const differences = parts.differences.save()
  out.number(differences.passed).column(differences.rows)
  const occurrences = parts.occurrences.save()
  out.number(occurrences.passed).column(occurrences.rows)
  out.number(parts.windows.length)
  for (const window of parts.windows) {
    saveWindow(window, out)
    out.column(Float64Array.from(window.keys, (key) => key.id))
  }
}

export function restoreSliced(of: WindowOf, from: SegmentReader): SlicedParts {
  const passed = from.number()
  const names = restoreLiveKeys(from)
  const differences = Differences.restore({ passed: from.number(), rows: from.doubles() })
  const occurrences = Occurrences.restore({ passed: from.number(), rows: from.doubles() })
  const windows = Array.from({ length: from.number() }, () => {
    const window = new SlicedWindow(readBirth(of, from), differences)
    restoreWindow(window, from)
    for (const id of from.doubles()) window.adoptRow(names.byId(id))
    return window
  })
  return { passed, names, differences, occurrences, windows }
}
