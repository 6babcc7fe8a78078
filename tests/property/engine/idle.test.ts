import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../server/contracts/instant'
import { watch } from '../../support/anyProgram'
import { type Ev, Run } from '../../support/engine'
import { everyProgram } from '../../support/everyProgram'
import { fold, program, recordsOf } from '../../support/program'

const event = fc.record({ ts: fc.integer({ min: 0, max: 200 }), at: fc.integer({ min: 0, max: 500 }) })
const lane = fc.array(event, { minLength: 1, maxLength: 8 })

/** Interleaves the sources' events by journal time, waits for everybody to fall asleep, and says where W stands. */
function watermarkOf(lanes: readonly (readonly { ts: number; at: number }[])[]): number {
  const run = new Run({ idleTimeout: 10, strategy: { kind: 'bounded', bound: 3 } })
  const all = lanes.flatMap((events, i): (Ev & { at: number })[] =>
    events.map((e) => ({ ...e, source: `s${i}` })),
  )
  all.sort((a, b) => a.at - b.at)
  run.oneByOne(...all)
  run.tick(1_000)
  return run.watermark
}

describe('when all sources are idle', () => {
  test('the watermark is the maximum, whoever went idle first', () => {
    fc.assert(
      fc.property(
        fc.array(lane, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(500), { minLength: 4, maxLength: 4 }),
        (lanes, at) => {
          const latest = Math.max(...lanes.flat().map((e) => e.ts))
          expect(watermarkOf(lanes)).toBe(latest - 3 - 1)
          // The same events at other times, so that others fall asleep first.
          const moved = lanes.map((events, i) => events.map((e) => ({ ...e, at: at[i] ?? 0 })))
          expect(watermarkOf(moved)).toBe(latest - 3 - 1)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('a long silence brings any program there', () => {
    fc.assert(
      fc.property(program(80), (p) => {
        const run = new Run(p.spec, p.start)
        for (const record of recordsOf(p.items, p.cuts)) fold(run, record)
        run.tick(run.state.at + 10 ** 10)
        const sources = [...run.state.clock.sources.values()]
        fc.pre(sources.every((s) => s.settings.idleTimeout !== null))
        const own = sources.map((s) => s.maxTs - (s.bound ?? 0) - 1)
        expect(run.watermark).toBe(Math.max(MIN_INSTANT, ...own))
        expect(sources.every((s) => s.idle)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('idleness in any pipeline', () => {
  test('a long silence takes the watermark to the furthest of all sources, or leaves it where it is beyond', () => {
    everyProgram(120, (p) => {
      const run = watch(p, () => {})
      const before = run.watermark
      const { clock, at } = run.state
      run.resumed(at, at)
      run.tick(at + 10 ** 12)
      const sources = [...clock.sources.values()].filter((source) => !source.test)
      for (const s of sources) expect(s.idle || s.settings.idleTimeout === null).toBe(true)
      if (sources.some((source) => !source.idle)) return
      expect(run.watermark).toBe(Math.max(before, ...sources.map((source) => source.watermark)))
    })
  })

  test('no source is active past its timeout, and none that spoke within it idle by itself', () => {
    everyProgram(150, (p) => {
      const marked = new Set<string>()
      watch(p, ({ state }, record, { command }) => {
        const [item] = record
        if (command?.refused === null && item?.kind === 'command' && item.command.kind === 'markIdle') {
          marked.add(item.command.source)
        }
        const { pausedAt, sources } = state.clock
        const now = pausedAt === null ? state.at : Math.min(state.at, pausedAt)
        for (const s of sources.values()) {
          if (!s.idle) marked.delete(s.name)
          const timeout = s.settings.idleTimeout ?? Number.POSITIVE_INFINITY
          // A command may shorten a timeout; who is idle by that is seen when time next passes.
          if (!s.idle && command === null) expect(now - s.timerStart).toBeLessThanOrEqual(timeout)
        }
      })
    })
  })
})

describe('ticks', () => {
  test('that come more often change no outcome: idleness is seen at the next event just the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(lane, fc.constantFrom('a', 'b', 'c')), { minLength: 1, maxLength: 6 }),
        (lanes) => {
          const all = lanes.flatMap(([events, source]): (Ev & { at: number })[] =>
            events.map((e) => ({ ...e, source })),
          )
          all.sort((a, b) => a.at - b.at)
          const over = {
            idleTimeout: 7,
            allowedLateness: 20,
            views: [{ id: 'm', window: { kind: 'tumbling', size: 10 } as const }],
          }
          const [plain, ticked] = [new Run(over), new Run(over)]
          for (const e of all) {
            for (let at = ticked.state.at + 1; at < e.at; at += 3) ticked.tick(at)
            plain.events(e)
            ticked.events(e)
            expect(ticked.state.counts).toEqual(plain.state.counts)
            expect(ticked.watermark).toBe(plain.watermark)
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
