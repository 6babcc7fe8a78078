import { type EventBatch, ORDER } from '../../contracts/eventBatch'
import { KeysByGrouping } from '../aggregate/batchKeys'
import { hashTable } from '../aggregate/hash128'
import { Scratch } from '../scratch'
import type { EngineState, PipelineState } from '../state'
import type { EventInHand } from '../windows/view'

/** The events of a command in hand, one after the other, as the views know them from a fold of the journal. */
export class Hand {
  readonly batch: EventBatch
  readonly hashes: Int32Array
  readonly keys: KeysByGrouping
  readonly #state: EngineState

  constructor(state: EngineState, pipeline: PipelineState, batch: EventBatch) {
    // Its own memory: what it holds must last while the journal is read, and that is folded by the pipeline's.
    const scratch = new Scratch()
    this.batch = batch
    this.hashes = hashTable(batch.strings, scratch)
    this.keys = new KeysByGrouping(batch, this.hashes, scratch)
    this.#state = state
    for (const view of pipeline.views) view.beginBatch(this.keys)
  }

  take(row: number): EventInHand {
    const { batch, hashes } = this
    const user = batch.userId[row] ?? 0
    const { clock } = this.#state
    return {
      batch,
      hashes,
      row,
      at: batch.journalTime[row] ?? 0,
      eventTime: batch.eventTime[row] ?? 0,
      isOrder: batch.type[row] === ORDER,
      amountHi: batch.amountHi[row] ?? 0,
      amountLo: batch.amountLo[row] ?? 0,
      orderHash: (batch.orderId[row] ?? 0) * 4,
      userHash: user === 0 ? -1 : user * 4,
      watermark: clock.watermark,
      leftOut: () => clock.idleSources(),
      overflow: false,
    }
  }
}
