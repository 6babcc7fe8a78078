import { describe, expect, it, vi } from 'vitest'
import type { Flush } from '@/server/contracts/flush'
import type { JournalEntry } from '@/server/contracts/journalRecord'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import type { Revision, WindowRow } from '@/server/contracts/windowRow'
import { MemoryJournal } from '@/server/journal/memory'
import { Backfill } from '@/server/runner/backfill/backfill'
import type { FilledRows } from '@/server/runner/backfill/secondFold'
import type { Runner } from '@/server/runner/runner'
import { orders, runnerOver, silent } from '@/tests/support/pipeline'

const MINUTE = 60_000
const minutes = { id: 'm', window: { kind: 'tumbling', size: '1m' }, groupBy: ['region'] }
const old = {
  allowedLateness: '1m',
  idleTimeout: null,
  views: [minutes, { id: 'wide', window: { kind: 'tumbling', size: '2m' } }],
}
const wanted = {
  ...old,
  views: [
    minutes,
    { id: 'wide', window: { kind: 'tumbling', size: '3m' } },
    { id: 'fresh', window: { kind: 'tumbling', size: '2m' }, groupBy: ['region'] },
  ],
}

/** Fires, corrects, closes, comes too late, and leaves windows open. */
const BEFORE: readonly JournalEntry[] = [
  orders(10_000, 1_000, 2_000, 59_000),
  orders(70_000, MINUTE + 6_000, 30_000),
  orders(200_000, 3 * MINUTE),
  orders(201_000, 4_000),
  orders(400_000, 6 * MINUTE, 6 * MINUTE + 10_000),
]
const AFTER: readonly JournalEntry[] = [
  orders(500_000, 6 * MINUTE + 20_000, 8 * MINUTE),
  orders(700_000, 11 * MINUTE),
]

async function world(spec: unknown) {
  const journal = new MemoryJournal()
  await journal.append({ kind: 'spec', at: 1, spec: PipelineSpec.parse(spec) })
  const rows = new Map<string, WindowRow>()
  const revisions: Revision[] = []
  const keep = (written: Pick<Flush, 'rows' | 'revisions' | 'closed'>) => {
    for (const row of written.rows) rows.set(nameOf(row), row)
    for (const { view, version, windowId } of written.closed) {
      for (const [name, row] of rows) {
        if (
          row.view === view &&
          row.version === version &&
          row.windowId === windowId &&
          row.status === 'fired'
        )
          rows.set(name, { ...row, status: 'closed' })
      }
    }
    revisions.push(...written.revisions)
  }
  let runner: Runner | null = null
  const filled: FilledRows[] = []
  const backfill = new Backfill({
    journal,
    specBefore: async () => null,
    hydrate: async () => {
      throw new Error('no command asks for the past')
    },
    write: async (some) => {
      filled.push(some)
      keep(some)
    },
    folded: () => runner?.position ?? 0,
    journaled: () => runner?.journaled ?? 0,
    giveSwitch: async (change) => {
      await runner?.command({ kind: 'switchSpec', change }, { by: 'tidemark', reason: '' })
    },
    logger: silent,
  })
  let committed = 0
  const commit = async (flush: Flush) => {
    keep(flush)
    committed = flush.position
  }
  const over = { backfill, commit, committedPosition: async () => committed }
  runner = (await runnerOver(journal, over)).runner
  const append = async (entries: readonly JournalEntry[]) => {
    for (const entry of entries) await journal.append(entry)
  }
  return { journal, runner, rows, revisions, filled, append }
}

function nameOf({ view, version, windowId, currency, dims }: WindowRow): string {
  return JSON.stringify([view, version, windowId, currency, dims])
}

/** Rows of the views as they stand, without their version and where in the journal they were written. */
function shown(rows: Map<string, WindowRow>, { views }: PipelineSpec) {
  const versions = new Map(views.map((view) => [view.id, view.version]))
  return [...rows.values()]
    .filter((row) => versions.get(row.view) === row.version)
    .map(({ version, pos, updatedAt, watermark, firedAt, ...row }) => JSON.stringify(row))
    .sort()
}

describe('back-fill of a changed definition', () => {
  it('shows what the new views would show if they had always been there, and nothing of them before', async () => {
    const changed = await world(old)
    await changed.append(BEFORE)
    await vi.waitFor(() => expect(changed.runner.status().committed).toBe(1 + BEFORE.length))
    const before = changed.runner.spec()
    const given = await changed.runner.command(
      { kind: 'changeSpec', spec: { ...PipelineSpec.parse(wanted), version: before.version } },
      { by: 'ann', reason: '' },
    )
    expect(given.outcome.refused).toBeNull()
    expect(given.outcome.changes[0]).toBe('back-fill begun')
    await vi.waitFor(() => expect(changed.runner.spec().version).toBe(before.version + 1), { timeout: 5_000 })
    await changed.append(AFTER)
    await changed.runner.stop()

    const always = await world(wanted)
    await always.append([...BEFORE, ...AFTER])
    await always.runner.stop()
    const now = changed.runner.spec()
    expect(now.views.map(({ id, version }) => [id, version])).toEqual([
      ['m', 1],
      ['wide', given.position],
      ['fresh', given.position],
    ])
    expect(shown(changed.rows, now)).toEqual(shown(always.rows, always.runner.spec()))
    expect(shown(changed.rows, now).length).toBeGreaterThan(10)
    // Only what changed was filled; what stayed is as it was, revisions and all.
    expect(changed.filled.flatMap(({ rows }) => rows.map(({ view }) => view))).not.toContain('m')
    const ofMinutes = (revisions: readonly Revision[]) => revisions.filter(({ view }) => view === 'm').length
    expect(ofMinutes(changed.revisions)).toBe(ofMinutes(always.revisions))
  })

  it('is given up at once, and another can begin', async () => {
    const t = await world(old)
    await t.append(BEFORE)
    const change = (spec: unknown) =>
      t.runner.command({ kind: 'changeSpec', spec: PipelineSpec.parse(spec) }, { by: 'ann', reason: '' })
    const order = { by: 'ann', reason: '' }
    const [, cancelled] = await Promise.all([
      change(wanted),
      t.runner.command({ kind: 'cancelChange' }, order),
    ])
    expect(cancelled.outcome.refused).toBeNull()
    expect(t.runner.status().backfill).toBeNull()
    const again = await change({ ...old, views: [minutes] })
    expect(again.outcome.refused).toBeNull()
    await vi.waitFor(() => expect(t.runner.spec().views).toHaveLength(1), { timeout: 5_000 })
    await t.runner.stop()
  })
})
