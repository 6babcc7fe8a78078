import { describe, expect, it, vi } from 'vitest'
import type { Committed } from '@/server/contracts/committed'
import type { Flush } from '@/server/contracts/flush'
import { AppError } from '@/server/platform/errors'
import { journalOf, orders, runnerOver } from '@/tests/support/pipeline'

const MINUTE = 60_000

describe('runner', () => {
  it('commits revisions, rows, counters and position together, and shows what it committed', async () => {
    const journal = await journalOf()
    const { runner, flushes } = await runnerOver(journal)
    const seen: Committed[] = []
    runner.onCommitted((c) => seen.push(c))
    await journal.append(orders(10_000, 1_000, 2_000))
    await journal.append(orders(70_000, MINUTE + 6_000))
    await runner.stop()
    expect(flushes.at(-1)).toMatchObject({ position: 3, counts: { received: 3, inTime: 3 } })
    expect(flushes.flatMap((f) => f.revisions)).toMatchObject([
      { view: 'by_region', start: 0, kind: 'on-time', after: { gross: '20.0000', events: 2 } },
      { view: 'total', start: 0, kind: 'on-time', after: { gross: '20.0000', events: 2 } },
    ])
    expect(seen.at(-1)?.pos).toBe(3)
    expect(seen.flatMap((c) => c.rows).filter((r) => r.view === 'total')).toContainEqual(
      expect.objectContaining({ start: MINUTE, status: 'open', gross: '10.0000' }),
    )
  })

  it('each flush follows on the one before, without a gap', async () => {
    const journal = await journalOf(orders(10_000, 1_000))
    const { runner, flushes } = await runnerOver(journal)
    for (let i = 1; i <= 20; i++) {
      await journal.append(orders(10_000 + i, 1_000 + i))
      await new Promise((r) => setTimeout(r, 30))
    }
    await runner.stop()
    expect(flushes.length).toBeGreaterThan(1)
    let prev = 0
    for (const flush of flushes) {
      expect(flush.prev).toBe(prev)
      prev = flush.position
    }
    expect(prev).toBe(22)
  })

  it('gives the very same flush again after a failure, and folds nothing meanwhile', async () => {
    const journal = await journalOf()
    const tried: Flush[] = []
    let failures = 3
    const commit = async (flush: Flush) => {
      tried.push(flush)
      if (failures-- > 0) throw new Error('connection lost')
    }
    const { runner } = await runnerOver(journal, { commit })
    await vi.waitFor(() => expect(runner.status().trouble).toMatch(/does not take them/), { timeout: 5_000 })
    await journal.append(orders(10_000, 1_000))
    await vi.waitFor(() => expect(runner.status().committed).toBe(2), { timeout: 10_000 })
    expect(runner.status().trouble).toBeNull()
    expect(new Set(tried.slice(0, 4)).size).toBe(1)
    expect(tried[3]).toMatchObject({ prev: 0, position: 1 })
    await runner.stop()
  })

  it('after a restart nothing at or below the committed position is written again, and open totals are', async () => {
    const journal = await journalOf(orders(10_000, 1_000), orders(70_000, MINUTE + 6_000))
    const { runner, flushes } = await runnerOver(journal, { committedPosition: async () => 3 })
    expect(runner.status().counts.received).toBe(2)
    await journal.append(orders(71_000, 2_000))
    await runner.stop()
    const revisions = flushes.flatMap((f) => f.revisions)
    expect(revisions.map((r) => [r.view, r.kind, r.revision])).toEqual([
      ['by_region', 'correction', 2],
      ['total', 'correction', 2],
    ])
    const open = flushes.flatMap((f) => f.rows).filter((r) => r.status === 'open')
    expect(new Set(open.map((r) => `${r.view} ${r.start}`))).toEqual(
      new Set([`by_region ${MINUTE}`, `total ${MINUTE}`]),
    )
  })

  it('reads back from the journal what does not fit in memory: every record is folded once, in order', async () => {
    const journal = await journalOf()
    const { runner } = await runnerOver(journal)
    for (let i = 0; i < 2_000; i++) void journal.append(orders(10_000 + i, 1_000))
    await runner.stop()
    expect(runner.status()).toMatchObject({ committed: 2_001, counts: { received: 2_000, inTime: 2_000 } })
  })

  it('a command comes back with what it did once it is folded, done or refused', async () => {
    const journal = await journalOf(orders(10_000, 1_000), orders(20_000, 9_000))
    const { runner, flushes } = await runnerOver(journal, { journalClock: () => 90_000 })
    const order = { by: 'ann', reason: 'pos-1 is off' }
    const forced = await runner.command({ kind: 'forceWatermark', to: 80_000 }, order)
    expect(forced).toMatchObject({
      position: 4,
      at: 90_000,
      order,
      outcome: { refused: null, watermarkAfter: 80_000 },
    })
    const again = await runner.command({ kind: 'forceWatermark', to: 70_000 }, order)
    expect(again.outcome.refused).toMatch(/never goes back/)
    await runner.stop()
    expect(flushes.flatMap((f) => f.commands)).toEqual([forced, again])
    expect(flushes.flatMap((f) => f.revisions).map((r) => r.kind)).toEqual(['on-time', 'on-time'])
  })

  it('a command that the journal does not take is rejected as the journal says', async () => {
    const journal = await journalOf()
    const { runner } = await runnerOver(journal)
    vi.spyOn(journal, 'append').mockRejectedValueOnce(new AppError('journal_full', 'full'))
    const given = runner.command({ kind: 'markIdle', source: 'pos-1' }, { by: 'ann', reason: '' })
    await expect(given).rejects.toMatchObject({ code: 'journal_full' })
    await runner.stop()
  })

  it('a definition is kept when it comes into force, and not again after a restart', async () => {
    const journal = await journalOf()
    const first = await runnerOver(journal)
    const order = { by: 'ann', reason: '' }
    await first.runner.command({ kind: 'setStrategy', source: null, idleTimeout: 5_000 }, order)
    await first.runner.stop()
    const kept = first.flushes.flatMap((f) => f.specs.map((s) => [s.position, s.spec.version]))
    expect(kept).toEqual([
      [1, 1],
      [2, 2],
    ])
    const second = await runnerOver(journal, { committedPosition: async () => 2 })
    await journal.append(orders(10_000, 1_000))
    await second.runner.stop()
    expect(second.flushes.flatMap((f) => [...f.specs, ...f.commands])).toEqual([])
    expect(second.runner.spec()).toMatchObject({ version: 2, idleTimeout: 5_000 })
  })

  it('does not start on results that are ahead of the journal', async () => {
    const journal = await journalOf()
    await expect(runnerOver(journal, { committedPosition: async () => 9 })).rejects.toThrow(
      'do not belong together',
    )
  })

  it('a fold that fails ends the server instead of being tried again', async () => {
    const journal = await journalOf()
    const fatal: Error[] = []
    const { runner } = await runnerOver(journal, { onFatal: (e) => fatal.push(e) })
    // A second spec record is no journal of ours.
    const [first] = await journal.read(0, 1)
    if (first?.kind === 'spec') await journal.append(first)
    await vi.waitFor(() => expect(fatal).toHaveLength(1))
    expect(String(fatal[0])).toContain('folding journal position 2 failed')
    await runner.stop()
  })
})
