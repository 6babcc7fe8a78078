import type { DemoEvent } from './orders'
import type { Chance } from './random'

/** What goes wrong with an order on a sale day, each with how often. */
export const SHARES = {
  /** Sent twice: the till did not hear the answer. */
  duplicate: 0.012,
  /** A few minutes old: corrects a window that had fired. */
  delayed: 0.004,
  /** Older than B and L together: goes to the late store. */
  tooLate: 0.0012,
} as const

const MINUTE = 60_000

/** The order's own time moved back, so that it comes late by that much. */
export function delayed(event: DemoEvent, chance: Chance): DemoEvent {
  return { ...event, eventTime: event.eventTime - Math.floor((1.5 + 5 * chance.unit()) * MINUTE) }
}

export function tooLate(event: DemoEvent, chance: Chance): DemoEvent {
  return { ...event, eventTime: event.eventTime - Math.floor((15 + 30 * chance.unit()) * MINUTE) }
}

/** Events as broken producers send them: each is set aside with a reason, none moves the watermark. */
export function broken(event: DemoEvent, chance: Chance): Record<string, unknown> {
  return chance.pick<Record<string, unknown>>([
    { ...event, eventTime: Math.floor(event.eventTime / 1000) },
    { ...event, eventTime: event.eventTime + 33 * 24 * 60 * MINUTE },
    { ...event, amount: '1,299.00' },
    { ...event, currency: 'RMB' },
    { ...event, eventTime: new Date(event.eventTime).toISOString().slice(0, 19) },
    { ...event, orderId: undefined },
  ])
}
