import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JournalEntry } from '../../../server/contracts/journalRecord'
import type { Full } from '../../../server/ingest/capacity'
import { RefusalBracket } from '../../../server/ingest/refusalBracket'
import { AppError } from '../../../server/platform/errors'
import { ARRIVAL, ingestWith, order, RecordingJournal, refusal } from './fixtures'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const told = (entries: readonly JournalEntry[]) => entries.map(({ kind, at }) => [kind, at])
const away = new AppError('journal_unavailable', 'away')

function bracket() {
  const journal = new RecordingJournal()
  const state = { now: 100, full: true }
  const it = new RefusalBracket({ journal, journalClock: () => state.now })
  const refuse = () => it.refuse(() => state.full)
  return { journal, state, refuse, take: () => it.take() }
}

describe('refusing is bracketed', () => {
  test('by one record for each transition, however many requests there are', async () => {
    const { journal, state, refuse, take } = bracket()
    take()
    for (let i = 0; i < 5; i++) refuse()
    state.now = 900
    for (let i = 0; i < 5; i++) take()
    refuse()
    expect(told(journal.entries)).toEqual([
      ['paused', 100],
      ['resumed', 900],
      ['paused', 900],
    ])
    expect(journal.entries[1]).toMatchObject({ pausedAt: 100 })
  })

  test('ends by itself when there is room and nobody asks: timers must not stand still for good', async () => {
    const { journal, state, refuse } = bracket()
    refuse()
    await later(5_000)
    expect(journal.entries).toHaveLength(1)
    state.full = false
    state.now = 700
    await later(1_000)
    expect(told(journal.entries).at(-1)).toEqual(['resumed', 700])
    await later(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a record that the journal refused is written later, by the state of then', async () => {
    const { journal, state, refuse, take } = bracket()
    journal.failure = away
    refuse()
    await later(0)
    journal.failure = null
    state.now = 200
    await later(1_000)
    expect(told(journal.entries)).toEqual([['paused', 200]])
    journal.failure = away
    take()
    await later(2_000)
    journal.failure = null
    state.now = 300
    await later(1_000)
    await later(5_000)
    expect(told(journal.entries)).toEqual([
      ['paused', 200],
      ['resumed', 300],
    ])
    // From the first refusal on, whether or not its own record was kept.
    expect(journal.entries[1]).toMatchObject({ pausedAt: 100 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a request that the state has no room for', () => {
  const sent = { source: 'pos-1', authorization: 'Bearer right', address: '::1' }
  const live = { limit: 'maxLiveIds', message: '20,000,000 event ids are live.' } as const
  const names = { limit: 'maxSources', message: 'There are 1,000 sources.' } as const

  function full(verdict: Full | null) {
    const state: { verdict: Full | null; asked: string[] } = { verdict, asked: [] }
    const { ingest, journal } = ingestWith({
      capacity: (source) => {
        state.asked.push(source)
        return state.verdict
      },
      limits: { eventsPerSecond: 2 },
    })
    const push = () => ingest.pushValues({ ...sent, events: [order()] })
    return { state, ingest, journal, push }
  }

  test('is refused as a whole, counted, and says when to come back; it uses up no rate', async () => {
    const { state, ingest, journal, push } = full(live)
    for (let i = 0; i < 3; i++) {
      const error = await refusal(push())
      expect(error).toMatchObject({ code: 'state_full', status: 503, retryAfter: 10 })
      expect(error.message).toContain(live.message)
    }
    expect(state.asked).toContain('pos-1')
    expect(ingest.health()).toMatchObject({ events: 0, inFlight: 0, refused: { state_full: 3 } })
    expect(told(journal.entries)).toEqual([['paused', ARRIVAL]])
  })

  test('once there is room, `resumed` stands before the first that is taken', async () => {
    const { state, journal, push } = full(live)
    await refusal(push())
    state.verdict = null
    expect(await push()).toMatchObject({ accepted: 1, position: 3 })
    expect(journal.entries.map((e) => e.kind)).toEqual(['paused', 'resumed', 'events'])
  })

  test('a new name that is refused stops no timers: the sources that there are may go on', async () => {
    const { state, journal, push } = full(names)
    await refusal(push())
    expect(journal.entries).toEqual([])
    state.verdict = live
    await refusal(push())
    state.verdict = names
    await refusal(push())
    expect(journal.entries.map((e) => e.kind)).toEqual(['paused'])
  })
})
