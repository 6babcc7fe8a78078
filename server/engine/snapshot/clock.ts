import { Strategy } from '../../contracts/strategy'
import type { PipelineClock } from '../clock/pipelineClock'
import type { SourceClock } from '../clock/sourceClock'
import type { SegmentReader, SegmentWriter } from './segment'

export function saveClock(clock: PipelineClock, out: SegmentWriter): void {
  out.number(clock.watermark).flag(clock.ended).optional(clock.pausedAt)
  out.number(clock.lastSpokeAt).flag(clock.stale).number(clock.sources.size)
  for (const source of clock.sources.values()) saveSource(source, out)
}

export function restoreClock(clock: PipelineClock, from: SegmentReader): void {
  clock.watermark = from.number()
  clock.ended = from.flag()
  clock.pausedAt = from.optional()
  clock.lastSpokeAt = from.number()
  clock.stale = from.flag()
  const count = from.number()
  for (let i = 0; i < count; i++) restoreSource(clock, from)
  clock.reconsider()
}

function saveSource(source: SourceClock, out: SegmentWriter): void {
  const { strategy, idleTimeout, test, pulled } = source.settings
  out.text(source.name).flag(source.declared)
  out.text(JSON.stringify(strategy)).optional(idleTimeout).flag(test).flag(pulled)
  out.number(source.maxTs).number(source.watermark).number(source.timerStart)
  out.optional(source.lastRecordAt).flag(source.idle).flag(source.wouldPause)
  const { ring, known, next } = source.stale.save()
  out.column(ring).number(known).number(next)
  if (!source.adaptive) return
  const learned = source.adaptive.save()
  out.number(learned.bound).number(learned.known).number(learned.next).number(learned.step)
  out.column(learned.delays)
}

function restoreSource(clock: PipelineClock, from: SegmentReader): void {
  const name = from.text()
  const declared = from.flag()
  const strategy = Strategy.parse(JSON.parse(from.text()))
  const settings = { strategy, idleTimeout: from.optional(), test: from.flag(), pulled: from.flag() }
  const source = clock.add(name, declared, settings, 0)
  source.maxTs = from.number()
  source.watermark = from.number()
  source.timerStart = from.number()
  source.lastRecordAt = from.optional()
  source.idle = from.flag()
  source.wouldPause = from.flag()
  source.stale.restore({ ring: from.bytes(), known: from.number(), next: from.number() })
  source.adaptive?.restore({
    bound: from.number(),
    known: from.number(),
    next: from.number(),
    step: from.number(),
    delays: from.doubles(),
  })
}
