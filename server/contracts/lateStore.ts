import { z } from 'zod'
import type { EventFields } from './eventBatch'
import { LIMITS, SOURCE_NAME } from './limits'

/** Events that one command names at most: it is one record of the journal, and one fold that nothing interrupts. */
export const MOST_EVENTS_A_COMMAND = 5_000

/** An event by its id, which is unique within its source (semantics.md §6). */
export const EventId = z.object({
  source: z.string().regex(SOURCE_NAME),
  eventId: z.string().min(1).max(LIMITS.idChars),
})
export type EventId = z.infer<typeof EventId>

/** An event and where it stands: journal position, and row of that record's batch. */
export const EventPlace = EventId.extend({
  position: z.number().int().positive().safe(),
  row: z.number().int().nonnegative().safe(),
})
export type EventPlace = z.infer<typeof EventPlace>

const events = z.array(EventPlace).min(1).max(MOST_EVENTS_A_COMMAND)

/**
 * What the late store tells the engine (semantics.md §6). Each names its events one by one, so that the journal says
 * exactly which they were; services resolve what a person asked for. What does not apply to an event (it is counted
 * already, it is not there) is left out and said; a command that applies to none is refused.
 */
export const LATE_COMMANDS = [
  /** Late or voided events are counted after all: outcome late → corrected, their other late repeats → duplicate. */
  z.object({ kind: z.literal('reinject'), events }),
  /** Counted events are taken out again: outcome inTime or corrected → late. Re-injection undoes it. */
  z.object({ kind: z.literal('void'), events }),
  /** They wait no more; they stay late. Re-injection undoes it. */
  z.object({ kind: z.literal('writeOff'), events }),
  /** Late events whose id was counted before: outcome late → duplicate. Given by Tidemark itself, once proven. */
  z.object({
    kind: z.literal('confirmDuplicates'),
    events: z
      .array(EventPlace.extend({ conflict: z.boolean() }))
      .min(1)
      .max(MOST_EVENTS_A_COMMAND),
  }),
] as const

/**
 * Where a late event stands. *unverified*: it may be a repeat of a counted one. *waiting*: it is none; its money
 * waits. *reconciled*: re-injected. *voided*: it had been counted, and an operator took it out.
 */
export const LATE_STATUSES = [
  'unverified',
  'waiting',
  'reconciled',
  'written_off',
  'duplicate',
  'voided',
] as const
export type LateStatus = (typeof LATE_STATUSES)[number]

/** What a command made of an event of the late store; also the status that it has from then on. */
export type LateChangeKind = Exclude<LateStatus, 'unverified' | 'waiting'>

/** One event that a command changed. */
export interface LateChange extends EventPlace {
  readonly change: LateChangeKind
  /** Late occurrences of the id that it accounts for: they are late no more, or known. */
  readonly settles: number
  /** A proven repeat whose time or content differs from the first. */
  readonly conflict: boolean
}

/** A voided event with what the late store shows of it, and the base window that it was taken out of. */
export interface VoidedEvent {
  readonly event: EventFields
  readonly windowStart: number
  readonly windowEnd: number
}

/** One text for an id within its source; a source's name holds no line break. */
export function idName({ source, eventId }: EventId): string {
  return `${source}\n${eventId}`
}
