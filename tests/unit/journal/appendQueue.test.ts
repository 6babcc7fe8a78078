import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { AppendQueue } from '@/server/journal/appendQueue'
import { checksumOf, decodeEntry, KIND_NUMBERS } from '@/server/journal/codec'

const tick = (at: number): JournalEntry => ({ kind: 'tick', at })
const limits = { waitingBytes: 10_000, groupEntries: 3, groupBytes: 10_000 }

function queueOf(...times: number[]) {
  const queue = new AppendQueue(limits)
  const positions = times.map((at) => queue.add(tick(at)))
  return { queue, positions }
}
const times = (group: readonly { entry: JournalEntry }[]) => group.map(({ entry }) => entry.at)

describe('the queue of appends', () => {
  it('gives groups in the order in which entries came, of no more than one INSERT takes', () => {
    const { queue } = queueOf(1, 2, 3, 4)
    expect(times(queue.take())).toEqual([1, 2, 3])
    expect(times(queue.take())).toEqual([4])
    expect(queue.take()).toEqual([])
  })

  it('puts what the journal itself says in front, where nobody waits for it and no limit counts it', async () => {
    const { queue, positions } = queueOf(1, 2, 3, 4)
    const lead = (entries: readonly JournalEntry[]): JournalEntry => {
      expect(entries).toEqual([tick(1), tick(2), tick(3)])
      return { kind: 'resumed', at: 1, pausedAt: 0 }
    }
    const group = queue.take({ most: Number.POSITIVE_INFINITY, lead })
    expect(group.map(({ entry }) => entry.kind)).toEqual(['resumed', 'tick', 'tick', 'tick'])
    const [first] = group
    if (!first) throw new Error('no lead')
    expect(first.checksum).toBe(checksumOf(KIND_NUMBERS.resumed, 1, first.body))
    expect(decodeEntry(KIND_NUMBERS.resumed, 1, first.body, first.checksum)).toEqual(first.entry)
    group.forEach((waiting, i) => void waiting.resolve(10 + i))
    expect(await Promise.all(positions.slice(0, 3))).toEqual([11, 12, 13])
  })

  it('asks nothing for a group that would be empty', () => {
    const lead = () => {
      throw new Error('asked')
    }
    expect(new AppendQueue().take({ most: 1, lead })).toEqual([])
  })

  it('makes a group smaller where its front says so', () => {
    const { queue } = queueOf(1, 2, 3)
    expect(times(queue.take({ most: 2, lead: () => null }))).toEqual([1, 2])
    expect(times(queue.take())).toEqual([3])
  })
})
