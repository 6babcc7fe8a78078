import { describe, expect, it } from 'vitest'
import { eventAt } from '@/server/contracts/eventBatch'
import { checksumOf, decodeEntry, encodeEntry, KIND_NUMBERS } from '@/server/journal/codec'
import { rewriteEvents } from '@/server/runner/erase/rewriteEvents'
import type { Swap } from '@/server/runner/erase/swap'
import { batchOf, rejectedOf } from '@/tests/support/events'

const swap: Swap = { user: 'u-1', pseudonym: 'erased-x', sources: null, fields: new Set(['userId']) }
const entryOf = (...events: Parameters<typeof batchOf>[0]) => ({
  kind: 'events' as const,
  at: 5,
  batch: batchOf(events, 5),
  rejected: [],
})
const eventsOf = (batch: ReturnType<typeof batchOf>) =>
  Array.from({ length: batch.count }, (_, i) => eventAt(batch, i))

describe('a record of the journal', () => {
  it('changes in the user alone: an order id or a dimension of the same text stays', () => {
    const dims = { region: 'u-1', channel: 'app' }
    const entry = entryOf(
      { ts: 1, id: 'u-1', order: 'u-1', user: 'u-1', dims, amount: '99999999999.9999' },
      { ts: -2, at: 4, user: 'u-2', refund: true },
      { ts: 3, source: 'b', user: 'u-1' },
      { ts: 4 },
    )
    const rewritten = rewriteEvents(entry, swap)
    const before = eventsOf(entry.batch)
    const expected = before.map((e) => (e.userId === 'u-1' ? { ...e, userId: 'erased-x' } : e))
    expect(rewritten?.events).toBe(2)
    expect(eventsOf(rewritten?.entry.batch ?? batchOf([]))).toEqual(expected)
  })

  it('holds the id nowhere afterwards, also in its bytes', () => {
    const rejected = [{ ...rejectedOf('a'), raw: '{"userId":"u-1"}' }]
    const entry = { ...entryOf({ ts: 1, user: 'u-1' }, { ts: 2, user: 'u-2' }), rejected }
    const marks = [{ row: 1, source: 'a', mark: 9, at: 5 }]
    expect(Buffer.from(encodeEntry({ ...entry, marks })).includes('u-1')).toBe(true)
    const rewritten = rewriteEvents({ ...entry, marks }, swap)
    const body = encodeEntry(rewritten?.entry ?? entry)
    expect(Buffer.from(body).includes('u-1')).toBe(false)
    expect(Buffer.from(body).includes('u-2')).toBe(true)
    const back = decodeEntry(KIND_NUMBERS.events, 5, body, checksumOf(KIND_NUMBERS.events, 5, body))
    expect(back).toMatchObject({ marks, rejected: [{ raw: '{"userId":"erased-x"}' }] })
  })

  it('without the user, or of another source, is not rewritten', () => {
    const entry = entryOf({ ts: 1, user: 'u-12' }, { ts: 2, order: 'u-1' })
    expect(rewriteEvents(entry, swap)).toBeNull()
    expect(rewriteEvents(entryOf({ ts: 1, user: 'u-1' }), { ...swap, sources: new Set(['b']) })).toBeNull()
  })
})
