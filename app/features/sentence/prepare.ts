import { duration, setting } from '@/app/lib/format/duration'
import { counted, list } from '@/app/lib/format/number'
import { clockOf, completeTo } from '@/app/lib/format/time'
import type { PipelineStatus, SourceStatus } from '@/server/contracts/status'

/**
 * The console's first line: always a sentence that says what state the pipeline is in and who or what decides it
 * (screens.md, Console). What happened, what it means, what to do.
 */
export interface Sentence {
  /** well: nothing to do. waiting: nothing wrong, nothing moving. held: someone holds it. trouble: ours to mend. */
  readonly tone: 'well' | 'waiting' | 'held' | 'trouble'
  readonly says: string
  readonly means: string
}

/** Further behind than the holder's bound and this, and the pipeline is said to be held. */
export const HELD_AFTER_MS = 30_000
/** A source that sent something within this is sending; if it holds the pipeline, its orders are old. */
const SENDING_MS = 10_000

/** The first that applies, from worst to best. */
export function preparePipelineSentence(status: PipelineStatus, now: number): Sentence {
  return (
    troubleOf(status) ??
    fullOf(status) ??
    catchingUpOf(status, now) ??
    noSourceOf(status) ??
    neverSpokeOf(status, now) ??
    allIdleOf(status, now) ??
    heldOf(status, now) ??
    wellOf(status, now)
  )
}

/** The page itself is in the dark: what it last knew is said as such, never as "all is well" (screens.md, stale). */
export function prepareStaleSentence(status: PipelineStatus, silentFor: number): Sentence {
  const then = preparePipelineSentence(status, status.now)
  return {
    tone: 'trouble',
    says: `The server has not been heard for ${duration(silentFor)}.`,
    means: `Everything below is as it was at ${time(status, status.now, status.now)}. Then: ${then.says} It reconnects by itself; check that Tidemark runs and is reachable.`,
  }
}

function troubleOf(status: PipelineStatus): Sentence | null {
  if (status.trouble === null) return null
  const kept = status.journaled - status.committed
  const waits = kept > 0 ? ` ${counted(kept, 'journal record')} wait for it.` : ''
  return {
    tone: 'trouble',
    says: `Results are not being written: ${status.trouble.replace(/[.\s]+$/, '')}.`,
    means:
      `The figures on screen stand still.${waits} ` +
      'Orders that were acknowledged are in the journal and will be counted. When the cause is mended, writing goes on by itself.',
  }
}

function fullOf(status: PipelineStatus): Sentence | null {
  const full = status.storage?.full
  if (!full) return null
  return {
    tone: 'trouble',
    says: 'Orders are refused (507): there is no room for them.',
    means: `${full.message} What was acknowledged is kept and counted; producers are told to send the rest again.`,
  }
}

function catchingUpOf(status: PipelineStatus, now: number): Sentence | null {
  if (!status.catchingUp) return null
  const left = Math.max(0, status.journaled - status.committed)
  const reached =
    status.at === null ? '' : ` It has reached orders received at ${time(status, status.at, now)}.`
  return {
    tone: 'waiting',
    says: `Catching up: ${counted(left, 'journal record')} to go.`,
    means: `The figures move fast until it is done, and are not up to date before.${reached} Nothing to do.`,
  }
}

function noSourceOf(status: PipelineStatus): Sentence | null {
  if (status.sources.length > 0) return null
  return {
    tone: 'waiting',
    says: 'No source has sent an order yet, so there is no watermark.',
    means:
      'The first accepted order makes its source known and starts the clock. Send one with the command below.',
  }
}

/** A declared source that never spoke counts, and blocks, until it is idle (field case 3). */
function neverSpokeOf(status: PipelineStatus, now: number): Sentence | null {
  const silent = status.sources.filter((source) => blocksUnspoken(source, status, now))
  const [first] = silent
  if (!first) return null
  const names = list(silent.map((source) => source.name))
  const has = silent.length === 1 ? 'It is declared and has' : 'They are declared and have'
  const stands =
    status.watermark === null
      ? `Nothing can complete: the pipeline waits for ${names}.`
      : `The pipeline is held at ${time(status, completeTo(status.watermark), now)} by ${names}.`
  return {
    tone: 'held',
    says: stands,
    means: `${has} never sent an order. ${idleOf(latestIdle(silent), status, now)}`,
  }
}

function blocksUnspoken(source: SourceStatus, status: PipelineStatus, now: number): boolean {
  const asOf = status.at ?? now
  return source.state === 'never' && (source.idleAt === null || source.idleAt >= asOf)
}

/** The one that keeps the others waiting longest: where idleness is off, for ever. */
function latestIdle(sources: readonly SourceStatus[]): SourceStatus {
  const rank = (source: SourceStatus) => source.idleAt ?? Number.POSITIVE_INFINITY
  return sources.reduce((last, source) => (rank(source) > rank(last) ? source : last))
}

/** Everything idle: the watermark is the maximum over all of them (semantics.md §3). */
function allIdleOf(status: PipelineStatus, now: number): Sentence | null {
  if (!status.sources.every((source) => source.state !== 'active')) return null
  const spoken = status.sources.flatMap((source) => source.lastRecordAt ?? [])
  const quiet = spoken.length > 0 ? `The last order came ${duration(now - Math.max(...spoken))} ago.` : ''
  const open =
    status.openWindows > 0
      ? ` ${counted(status.openWindows, 'window')} stay open until an order moves time on.`
      : ''
  const complete =
    status.watermark === null
      ? 'nothing is complete yet'
      : `complete to ${time(status, completeTo(status.watermark), now)}`
  return {
    tone: 'waiting',
    says: `Every source is idle: ${complete}.`,
    means:
      `${quiet}${open} That is as it should be when nobody orders; if somebody does, check the producers.`.trim(),
  }
}

function heldOf(status: PipelineStatus, now: number): Sentence | null {
  if (status.watermark === null) return null
  const holder = holderOf(status)
  const behind = now - completeTo(status.watermark)
  if (!holder || behind <= (holder.bound ?? 0) + HELD_AFTER_MS) return null
  return {
    tone: 'held',
    says: `The pipeline is held at ${time(status, completeTo(status.watermark), now)} by ${holder.name}.`,
    means: whyHeld(holder, status, now),
  }
}

/** Who is marked as holding it; else the furthest behind of those that count: a source that came back with old data. */
function holderOf(status: PipelineStatus): SourceStatus | undefined {
  const active = status.sources.filter((source) => source.state === 'active')
  const own = (source: SourceStatus) => source.watermark ?? Number.NEGATIVE_INFINITY
  return active.find((source) => source.holdsBack) ?? active.sort((a, b) => own(a) - own(b))[0]
}

function whyHeld(holder: SourceStatus, status: PipelineStatus, now: number): string {
  const quiet = now - (holder.lastRecordAt ?? now)
  if (quiet > SENDING_MS) return `Its last order is ${duration(quiet)} old. ${idleOf(holder, status, now)}`
  const newest = holder.maxEventTime
  const age = newest === null ? '' : ` Its newest order happened ${duration(now - newest)} ago.`
  return (
    `It is sending, but old orders.${age} Time moves on when it has caught up. ` +
    `If it is not re-sending history, check the clock of ${holder.name}.`
  )
}

function idleOf(source: SourceStatus, status: PipelineStatus, now: number): string {
  if (source.idleAt === null || source.idleTimeout === null) {
    return `Idleness is off for ${source.name}, so the others wait until it sends. Start its producer, or set an idle timeout.`
  }
  const timeout = `idle timeout ${setting(source.idleTimeout)}`
  if (source.idleAt < now) return `It counts as idle from the next tick on (${timeout}).`
  return `It counts as idle at ${time(status, source.idleAt, now)} (${timeout}).`
}

function wellOf(status: PipelineStatus, now: number): Sentence {
  if (status.watermark === null) {
    return {
      tone: 'waiting',
      says: 'Nothing is complete yet.',
      means: 'Orders have come; the first window has not ended.',
    }
  }
  const complete = `complete to ${time(status, completeTo(status.watermark), now)}`
  const behind = duration(Math.max(0, now - completeTo(status.watermark)))
  const idle = status.sources.filter((source) => source.state !== 'active').map((source) => source.name)
  if (idle.length === 0) {
    return {
      tone: 'well',
      says: `All is well: ${complete}, ${behind} behind, every source active.`,
      means: 'Nothing to do.',
    }
  }
  const is = idle.length === 1 ? 'is idle and is' : 'are idle and are'
  return {
    tone: 'well',
    says: `All is well: ${complete}, ${behind} behind.`,
    means: `${list(idle)} ${is} not waited for: windows that complete now are marked as without ${idle.length === 1 ? 'it' : 'them'}.`,
  }
}

function time(status: PipelineStatus, at: number, now: number): string {
  return clockOf(status.zone).instant(at, now)
}
