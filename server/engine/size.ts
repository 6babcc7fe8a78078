import type { StateSize } from '../contracts/status'
import type { EngineState } from './state'

/** A source's clock, counters and watches, about; bytes. */
const SOURCE_BYTES = 1_500

/** What the engine's parts take in memory, bytes. */
export function stateSize(state: EngineState): StateSize {
  const { pipeline, clock } = state
  const size = { distinct: 0, rows: 0, keys: 0 }
  for (const view of pipeline?.views ?? []) {
    const part = view.size()
    size.distinct += part.distinct
    size.rows += part.rows
    size.keys += part.keys
  }
  const ids = pipeline?.ids.bytes ?? 0
  let sources = state.countsBySource.size * SOURCE_BYTES
  for (const source of clock.sources.values()) sources += (source.adaptive?.strategy.sample ?? 0) * 8
  return { ids, ...size, sources, total: ids + sources + size.distinct + size.rows + size.keys }
}
