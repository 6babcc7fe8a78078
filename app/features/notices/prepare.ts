import { clockOf } from '@/app/lib/format/time'
import type { Notice, NoticeKind } from '@/server/contracts/notice'

export interface NoticeLine {
  readonly key: string
  readonly says: string
  readonly means: string
  readonly when: string
  /** It tells that something is over: quieter. */
  readonly over: boolean
}

/** What happened, and what it means and what to do. `{}` is the source or view. */
const WORDS: Record<NoticeKind, readonly [says: string, means: string]> = {
  resends_history: [
    '{} sends its history again.',
    'More than half of its last 200 orders were a day and more behind what it had sent before. What was counted is known as duplicate, or is late; the watermark does not move by it. Stop the producer if this is not meant; to fill in history, import it as a back-fill.',
  ],
  resends_history_over: [
    '{} no longer sends its history again.',
    'Its orders are recent again. Nothing to do.',
  ],
  keys_over_cap: [
    'A window of {} is full of keys.',
    'Further keys are counted under __other__: their totals are in every sum, but not by themselves. Raise maxKeys of the view, or group by less.',
  ],
  sources_over_cap: [
    'There are as many sources as maxSources allows; {} was one more.',
    'New names share one clock, so the slowest of them holds them all. Retire sources that are no more, or raise maxSources.',
  ],
  drift_over_limit: [
    '{} runs ahead of the slowest source by more than maxDrift.',
    'What is read at our pace would wait now, so that less is held in memory. No figure depends on it.',
  ],
  drift_over: ['The others have caught up with {}.', 'It is read on.'],
}

export function prepareNotices(notices: readonly Notice[], zone: string, now: number): readonly NoticeLine[] {
  const clock = clockOf(zone)
  return notices.map(({ kind, subject, at, position }) => ({
    key: `${position}/${kind}/${subject}`,
    says: WORDS[kind][0].replace('{}', subject),
    means: WORDS[kind][1],
    when: clock.instant(at, now),
    over: kind.endsWith('_over'),
  }))
}
