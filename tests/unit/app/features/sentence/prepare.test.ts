import { describe, expect, it } from 'vitest'
import { preparePipelineSentence, prepareStaleSentence } from '@/app/features/sentence/prepare'
import type { PipelineStatus } from '@/server/contracts/status'
import { at, NOW, plain, silent, source, status } from '../../builders'

const say = (s: PipelineStatus) => {
  const { tone, says, means } = preparePipelineSentence(s, NOW)
  return { tone, says: plain(says), means: plain(means) }
}

describe('the console opens with a sentence', () => {
  it('all is well when the watermark keeps up and every source is active', () => {
    expect(say(status([source('pos-1'), source('pos-2', { holdsBack: true })]))).toMatchObject({
      tone: 'well',
      says: 'All is well: complete to 14:24:05, 7 s behind, every source active.',
    })
  })

  it('no room: says that orders are refused, what is full, and how to mend it', () => {
    const room = {
      freeBytes: 1,
      diskBytes: 2,
      databaseBytes: 1,
      maxBytes: null,
      tables: [],
      lateWrittenOff: 0,
    }
    const full = { what: 'disk', message: 'The disk has 1 MiB left. Make room there.' } as const
    expect(say(status([source('pos-1')], { storage: { ...room, full } }))).toEqual({
      tone: 'trouble',
      says: 'Orders are refused (507): there is no room for them.',
      means:
        'The disk has 1 MiB left. Make room there. What was acknowledged is kept and counted; producers are told to send the rest again.',
    })
    expect(say(status([source('pos-1')], { storage: { ...room, full: null } })).tone).toBe('well')
  })

  it('all is well with an idle source names it and says that it is not waited for', () => {
    const { tone, means } = say(status([source('pos-1'), source('pos-3', { state: 'idle' })]))
    expect(tone).toBe('well')
    expect(means).toBe(
      'pos-3 is idle and is not waited for: windows that complete now are marked as without it.',
    )
  })

  it('held by a quiet source names it, the age of its last order and when it goes idle', () => {
    const held = at(14, 20)
    const quiet = source('pos-3', {
      holdsBack: true,
      watermark: held - 1,
      lastRecordAt: NOW - 252_000,
      idleAt: at(14, 29, 12),
      idleTimeout: 600_000,
    })
    expect(say(status([source('pos-1'), quiet], { watermark: held - 1 }))).toEqual({
      tone: 'held',
      says: 'The pipeline is held at 14:20:00 by pos-3.',
      means: 'Its last order is 4 min 12 s old. It counts as idle at 14:29:12 (idle timeout 10 min).',
    })
  })

  it('held with idleness off says that the others wait until it sends', () => {
    const quiet = source('pos-3', {
      holdsBack: true,
      lastRecordAt: NOW - 252_000,
      idleAt: null,
      idleTimeout: null,
    })
    const { means } = say(status([quiet], { watermark: at(14, 20) - 1 }))
    expect(means).toContain('Idleness is off for pos-3, so the others wait until it sends.')
  })

  it('held by a source that sends old orders does not call it quiet', () => {
    const old = source('pos-3', { holdsBack: true, maxEventTime: at(14, 14, 12) })
    const { tone, means } = say(status([source('pos-1'), old], { watermark: at(14, 14) }))
    expect(tone).toBe('held')
    expect(means).toContain('It is sending, but old orders. Its newest order happened 10 min ago.')
  })

  it('far behind is never "all is well", even when nobody is marked as holding', () => {
    const { says } = say(
      status([source('pos-1'), source('pos-2', { watermark: at(13, 0) })], { watermark: at(14, 14) - 1 }),
    )
    expect(says).toBe('The pipeline is held at 14:14:00 by pos-2.')
  })

  it('just beyond the bound is not held: a bound of 40 s is 40 s behind when all is well', () => {
    const slow = source('pos-1', { holdsBack: true, bound: 40_000 })
    expect(say(status([slow], { watermark: NOW - 41_000 })).tone).toBe('well')
  })

  it('no source yet is said as that, with what to do', () => {
    expect(say(status([], { watermark: null, at: null }))).toMatchObject({
      tone: 'waiting',
      says: 'No source has sent an order yet, so there is no watermark.',
    })
  })

  it('a declared source that never spoke is named as the blocker (field case 3)', () => {
    expect(say(status([source('pos-1'), silent('pos-2')], { watermark: null }))).toEqual({
      tone: 'held',
      says: 'Nothing can complete: the pipeline waits for pos-2.',
      means:
        'It is declared and has never sent an order. Idleness is off for pos-2, so the others wait until it sends. Start its producer, or set an idle timeout.',
    })
  })

  it('a declared source that will go idle says when', () => {
    const { means } = say(
      status([silent('pos-2', { idleAt: at(14, 24, 30), idleTimeout: 30_000 })], { watermark: null }),
    )
    expect(means).toBe(
      'It is declared and has never sent an order. It counts as idle at 14:24:30 (idle timeout 30 s).',
    )
  })

  it('several that never spoke are named, with the one that holds longest', () => {
    const { says, means } = say(
      status([silent('a', { idleAt: NOW + 1, idleTimeout: 30_000 }), silent('b')], { watermark: null }),
    )
    expect(says).toBe('Nothing can complete: the pipeline waits for a and b.')
    expect(means).toContain('Idleness is off for b')
  })

  it('a source that never spoke and has gone idle blocks nobody', () => {
    const gone = silent('pos-2', { idleAt: NOW - 60_000, idleTimeout: 30_000 })
    expect(say(status([source('pos-1'), gone])).tone).toBe('well')
  })

  it('everything idle is waiting, not wrong, and says how far it is complete', () => {
    const idle = source('pos-1', { state: 'idle', lastRecordAt: NOW - 252_000 })
    expect(say(status([idle], { watermark: at(14, 20) - 1 }))).toMatchObject({
      tone: 'waiting',
      says: 'Every source is idle: complete to 14:20:00.',
      means: expect.stringContaining('The last order came 4 min 12 s ago. 2 windows stay open'),
    })
  })

  it('catching up comes before who holds it: the figures are old anyway', () => {
    const { says } = say(
      status([source('pos-1')], { catchingUp: true, journaled: 1_704, committed: 500, watermark: at(9, 0) }),
    )
    expect(says).toBe('Catching up: 1,204 journal records to go.')
  })

  it('trouble comes before everything and says that acknowledged orders are kept', () => {
    const { tone, says, means } = say(
      status([source('pos-1')], { trouble: 'the disk is full.', catchingUp: true, journaled: 510 }),
    )
    expect(tone).toBe('trouble')
    expect(says).toBe('Results are not being written: the disk is full.')
    expect(means).toContain(
      '10 journal records wait for it. Orders that were acknowledged are in the journal',
    )
  })

  it('a stale page never says that all is well now', () => {
    const stale = prepareStaleSentence(status([source('pos-1')]), 42_000)
    expect(stale.tone).toBe('trouble')
    expect(plain(stale.says)).toBe('The server has not been heard for 42 s.')
    expect(plain(stale.means)).toContain('as it was at 14:24:12. Then: All is well')
  })

  it('no state says NaN, null or undefined', () => {
    const sources = [
      [],
      [silent('a')],
      [source('a', { state: 'idle', lastRecordAt: null, idleAt: null })],
      [source('a')],
    ]
    for (const list of sources) {
      for (const over of [
        {},
        { watermark: null },
        { at: null, watermark: null },
        { catchingUp: true, at: null },
      ]) {
        const { says, means } = say(status(list, over))
        expect(`${says} ${means}`).not.toMatch(/NaN|null|undefined|Infinity/)
      }
    }
  })
})
