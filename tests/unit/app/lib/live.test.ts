import { describe, expect, it } from 'vitest'
import { CORRECTIONS_MAX, LiveFeed, PAINT_MS, type Surroundings, type WireHandlers } from '@/app/lib/live'
import type { Subscribe } from '@/server/contracts/liveMessage'
import { at, NOW, revision, row, source, status } from '../builders'

const VIEW = 'gmv_total_1m'
const FROM = at(14, 0)

/** A clock that only the test moves. */
class Clock implements Surroundings {
  time = NOW
  away = false
  #timers: { at: number; run: () => void }[] = []
  now = () => this.time
  hidden = () => this.away
  later(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer)
    }
  }
  pass(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter((t) => t !== next)
      this.time = Math.max(this.time, next.at)
      next.run()
    }
    this.time = end
  }
}

function setup() {
  const clock = new Clock()
  const asked: Subscribe[] = []
  let wire: WireHandlers | null = null
  const feed = new LiveFeed(
    {
      subscribe: (message) => asked.push(message),
      open: (handlers) => {
        wire = handlers
      },
      close: () => {},
    },
    clock,
  )
  let paints = 0
  feed.subscribe(() => {
    paints += 1
  })
  feed.start()
  const handlers = (): WireHandlers => {
    if (!wire) throw new Error('not open')
    return wire
  }
  const health = () => handlers().health(status([source('pos-1')], { now: clock.time }))
  const live = () => {
    handlers().connected()
    health()
    clock.pass(PAINT_MS)
  }
  return { clock, feed, asked, handlers, health, live, paints: () => paints }
}

describe('live, reconnecting, stale', () => {
  it('is connecting until the first health message', () => {
    const { feed, clock, live, handlers } = setup()
    handlers().connected()
    clock.pass(1_000)
    expect(feed.read().state).toBe('connecting')
    live()
    expect(feed.read().state).toBe('live')
  })

  it('a socket that is open and silent for more than 5 s is stale, and says for how long', () => {
    const { feed, clock, live } = setup()
    live()
    clock.pass(5_000 - PAINT_MS)
    expect(feed.read().state).toBe('live')
    clock.pass(37_000)
    expect(feed.read()).toMatchObject({ state: 'stale', silentFor: 42_000 })
  })

  it('a drop is reconnecting at first and stale after 5 s; health makes it live again', () => {
    const { feed, clock, live, handlers } = setup()
    live()
    handlers().disconnected()
    clock.pass(2_000)
    expect(feed.read().state).toBe('reconnecting')
    clock.pass(4_000)
    expect(feed.read().state).toBe('stale')
    live()
    expect(feed.read()).toMatchObject({ state: 'live', silentFor: 0 })
  })

  it('a server that never answers is stale too', () => {
    const { feed, clock } = setup()
    clock.pass(7_000)
    expect(feed.read().state).toBe('stale')
  })

  it('ages follow the clock of the server, not of this machine', () => {
    const { feed, clock, handlers } = setup()
    handlers().connected()
    handlers().health(status([source('pos-1')], { now: NOW - 3_600_000 }))
    clock.pass(PAINT_MS)
    expect(feed.read().now).toBeLessThanOrEqual(NOW - 3_600_000 + PAINT_MS)
  })
})

describe('watched views', () => {
  const snapshot = (pos: number, net: string) => ({
    view: VIEW,
    pos,
    partial: false,
    windows: [row({ net, pos })],
    watermark: null,
  })

  it('are asked for again on every connect, with the position held', () => {
    const { feed, asked, live, handlers } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    handlers().snapshot(snapshot(10, '1'))
    handlers().disconnected()
    handlers().connected()
    expect(asked).toEqual([
      { view: VIEW, filter: {}, from: FROM },
      { view: VIEW, filter: {}, from: FROM, since: 10 },
    ])
  })

  it('that cannot be given are not asked for in a tight loop', () => {
    const { feed, asked, live, clock, handlers, health } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    for (let second = 0; second < 60; second++) {
      for (let i = 0; i < 20; i++) handlers().resync({ view: VIEW, reason: 'no such view' })
      health()
      clock.pass(1_000)
    }
    expect(asked.length).toBeLessThan(10)
  })

  it('are asked for at once after one resync, without since', () => {
    const { feed, asked, live, handlers } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    handlers().snapshot(snapshot(10, '1'))
    handlers().resync({ view: VIEW, reason: 'too slow' })
    expect(asked.at(-1)).toEqual({ view: VIEW, filter: {}, from: FROM })
  })

  it('keep the same array until something in them changes', () => {
    const { feed, live, clock, handlers, health } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    handlers().snapshot(snapshot(10, '1'))
    clock.pass(PAINT_MS)
    const before = feed.read().rows[VIEW]
    health()
    clock.pass(1_000)
    expect(feed.read().rows[VIEW]).toBe(before)
    handlers().delta({
      view: VIEW,
      prev: 10,
      pos: 11,
      windows: [row({ net: '2', pos: 11 })],
      watermark: null,
    })
    clock.pass(PAINT_MS)
    expect(feed.read().rows[VIEW]?.map((r) => r.net)).toEqual(['2'])
  })

  it('a query answer never puts an older value over a newer one', () => {
    const { feed, live, clock, handlers } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    handlers().snapshot(snapshot(10, '2'))
    feed.offer(VIEW, [row({ net: '1', pos: 9 })])
    clock.pass(PAINT_MS)
    expect(feed.read().rows[VIEW]?.map((r) => r.net)).toEqual(['2'])
  })

  it('lose the rows that the moving range has left behind', () => {
    const { feed, live, clock, handlers, health } = setup()
    let from = FROM
    feed.watch(VIEW, () => from)
    live()
    handlers().snapshot(snapshot(10, '1'))
    from = at(14, 22)
    health()
    clock.pass(1_000)
    expect(feed.read().rows[VIEW]).toEqual([])
  })
})

describe('painting', () => {
  it('at most two paints a second in a storm, and the last value is always shown', () => {
    const { feed, live, clock, handlers, paints } = setup()
    feed.watch(VIEW, () => FROM)
    live()
    handlers().snapshot({ view: VIEW, pos: 10, partial: false, windows: [], watermark: null })
    clock.pass(PAINT_MS)
    const before = paints()
    for (let pos = 11; pos <= 1_010; pos++) {
      handlers().delta({
        view: VIEW,
        prev: pos - 1,
        pos,
        windows: [row({ net: String(pos), pos })],
        watermark: null,
      })
      clock.pass(1)
    }
    expect(paints() - before).toBeLessThanOrEqual(3)
    clock.pass(PAINT_MS)
    expect(feed.read().rows[VIEW]?.[0]?.net).toBe('1010')
  })

  it('a hidden tab paints nothing, and shows what came meanwhile when it is shown', () => {
    const { feed, live, clock, handlers, paints } = setup()
    live()
    clock.away = true
    const before = paints()
    handlers().corrections({ revisions: [revision()] })
    clock.pass(10_000)
    expect(paints()).toBe(before)
    clock.away = false
    feed.shown()
    expect(feed.read().corrections).toHaveLength(1)
  })

  it('corrections are newest first and bounded', () => {
    const { feed, live, clock, handlers } = setup()
    live()
    for (let pos = 0; pos < CORRECTIONS_MAX + 50; pos++)
      handlers().corrections({ revisions: [revision({ pos })] })
    clock.pass(PAINT_MS)
    expect(feed.read().corrections).toHaveLength(CORRECTIONS_MAX)
    expect(feed.read().corrections[0]?.pos).toBe(CORRECTIONS_MAX + 49)
  })

  it('stopped, it keeps no timer', () => {
    const { feed, live, clock, paints } = setup()
    live()
    feed.stop()
    clock.pass(PAINT_MS)
    const before = paints()
    clock.pass(60_000)
    expect(paints()).toBe(before)
  })
})
