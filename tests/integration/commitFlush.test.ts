import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flush } from '@/server/contracts/flush'
import { createStore, type Store } from '@/server/store/client'
import { commitFlush, PositionMoved } from '@/server/store/commitFlush'
import { pipelinePosition } from '@/server/store/pipelinePosition'
import { freshDatabase } from '@/tests/support/database'
import { minuteSpec } from '@/tests/support/pipeline'

const counts = { received: 0, inTime: 0, corrected: 0, late: 0, duplicate: 0, quarantined: 0, conflict: 0 }

function flushOf(prev: number, position: number, over: Partial<Flush> = {}): Flush {
  return {
    prev,
    position,
    at: position * 1_000,
    watermark: null,
    rows: [],
    revisions: [],
    closed: [],
    late: [],
    quarantined: [],
    specs: [],
    sources: [],
    counts,
    ...over,
  }
}

const source = (quarantined: number) => ({
  name: 'web',
  ...counts,
  received: quarantined,
  quarantined,
  declared: false,
  state: 'never' as const,
  watermark: null,
  maxEventTime: null,
  lastRecordAt: null,
})

const setAside = (position: number, index: number) => ({
  index,
  source: 'web',
  eventId: `e-${position}-${index}`,
  code: 'amount_invalid' as const,
  field: 'amount',
  message: 'no',
  raw: '{}',
  cut: false,
  receivedAt: position * 1_000,
  position,
})

describe('one flush', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let store: Store
  beforeAll(async () => {
    database = await freshDatabase()
    store = createStore(database.url)
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  it('moves the position and keeps the definition that came into force', async () => {
    await commitFlush(store, flushOf(0, 3, { specs: [{ spec: minuteSpec, position: 1, at: 1_000 }] }))
    expect(await pipelinePosition(store)).toBe(3)
    expect(await store.prisma.specVersion.findMany()).toEqual([
      { version: 1, spec: JSON.parse(JSON.stringify(minuteSpec)), position: 1n, at: 1_000n },
    ])
  })

  it('given again after a lost COMMIT answer it is written once', async () => {
    const flush = flushOf(3, 4, { quarantined: [setAside(4, 0)], sources: [source(1)] })
    await commitFlush(store, flush)
    await commitFlush(store, flush)
    expect(await store.prisma.quarantine.count()).toBe(1)
    expect(await pipelinePosition(store)).toBe(4)
  })

  it('on a position that another server moved it writes nothing', async () => {
    const flush = flushOf(2, 9, { quarantined: [setAside(9, 0)] })
    await expect(commitFlush(store, flush)).rejects.toBeInstanceOf(PositionMoved)
    expect(await pipelinePosition(store)).toBe(4)
    expect(await store.prisma.quarantine.count()).toBe(1)
  })

  it('counters that do not add up are refused with everything else of the flush', async () => {
    const flush = flushOf(4, 5, { quarantined: [setAside(5, 0)], counts: { ...counts, received: 7 } })
    await expect(commitFlush(store, flush)).rejects.toThrow()
    expect(await pipelinePosition(store)).toBe(4)
    expect(await store.prisma.quarantine.count()).toBe(1)
  })

  it('keeps the newest quarantined events of a source and counts what it writes off', async () => {
    const events = [0, 1, 2, 3, 4].map((index) => setAside(6, index))
    await commitFlush(store, flushOf(4, 6, { quarantined: events, sources: [source(6)] }), 3)
    const kept = await store.prisma.quarantine.findMany({ orderBy: [{ position: 'asc' }, { index: 'asc' }] })
    expect(kept.map((q) => q.eventId)).toEqual(['e-6-2', 'e-6-3', 'e-6-4'])
    expect(await store.prisma.sourceState.findFirst()).toMatchObject({
      quarantined: 6n,
      quarantineWrittenOff: 3n,
    })
  })
})
