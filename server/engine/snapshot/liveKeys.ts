import { keyParts } from '../aggregate/batchKeys'
import { LiveKeys } from '../windows/liveKeys'
import type { SegmentReader, SegmentWriter } from './segment'

export function saveLiveKeys(keys: LiveKeys, out: SegmentWriter): void {
  const saved = keys.save()
  out.number(saved.made).number(saved.keys.length)
  for (const { id, parts, isOther } of saved.keys) {
    out.number(id).flag(isOther).text(parts.currency).number(parts.dims.length)
    for (const dim of parts.dims) {
      out.flag(dim !== null)
      if (dim !== null) out.text(dim)
    }
  }
}

export function restoreLiveKeys(from: SegmentReader): LiveKeys {
  const made = from.number()
  const keys = Array.from({ length: from.number() }, () => {
    const id = from.number()
    const isOther = from.flag()
    const currency = from.text()
    const dims = Array.from({ length: from.number() }, () => (from.flag() ? from.text() : null))
    return { id, parts: keyParts(currency, dims), isOther }
  })
  return LiveKeys.restore({ made, keys })
}
