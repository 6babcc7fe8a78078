import type { EventFields } from '../contracts/eventBatch'
import { ORDER, REFUND } from '../contracts/eventBatch'
import { LIMITS } from '../contracts/limits'
import { readAmount } from './amount'
import { readCurrency } from './currency'
import { readDimensions } from './dimensions'
import { checkSize } from './eventSize'
import { readEventTime } from './eventTime'
import { Flaw, show, storable } from './flaw'
import { isMark, markRefused } from './mark'
import type { SourceRules } from './sourceRules'
import { readId, readOptionalText } from './textField'
import { guardTime } from './timeGuards'

/**
 * Checks one parsed JSON value against the OrderEvent contract (design.md §3) and the guards of semantics.md §2.
 * `arrival` is the request's journal time in ms. The first flaw found is the event's verdict. Never throws, whatever
 * the value is. Written by hand because it runs for every event (limits.md: 150–230 ns against zod's 2,200).
 */
export function checkEvent(value: unknown, rules: SourceRules, arrival: number): EventFields | Flaw {
  // a parser hands on a line that is no JSON as its flaw
  if (value instanceof Flaw) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnEvent(value)
  const event = value as Readonly<Record<string, unknown>>
  return checkSize(event) ?? checkShape(event, rules) ?? readFields(event, rules, arrival)
}

function notAnEvent(value: unknown): Flaw {
  return new Flaw('wrong_type', null, `the event is ${show(value)}; send an object with eventId, orderId, …`)
}

/** What can be said of an event from the names of its fields alone. */
function checkShape(event: Readonly<Record<string, unknown>>, rules: SourceRules): Flaw | null {
  // A mark has its place in a request (takeEvents); wherever else events are read it must not pass for one.
  if (isMark(event)) return markRefused(rules)
  if (!rules.strict) return null
  const unknown = Object.keys(event).find((name) => !rules.known.has(name))
  return unknown === undefined ? null : unknownField(unknown, rules)
}

function unknownField(name: string, rules: SourceRules): Flaw {
  return new Flaw(
    'unknown_field',
    storable(name.slice(0, LIMITS.idChars)),
    `field ${show(name)} is not known and source ${rules.source} is strict: it takes ${[...rules.known].join(', ')}`,
  )
}

function readFields(
  event: Readonly<Record<string, unknown>>,
  rules: SourceRules,
  arrival: number,
): EventFields | Flaw {
  const { fields } = rules
  const out: EventFields = blank(rules.source, arrival)
  const eventId = readId(event[fields.eventId], fields.eventId)
  if (eventId instanceof Flaw) return eventId
  out.eventId = eventId
  const orderId = readId(event[fields.orderId], fields.orderId)
  if (orderId instanceof Flaw) return orderId
  out.orderId = orderId
  const flaw =
    readType(event[fields.type], fields.type, out) ??
    readAmount(event[fields.amount], fields.amount, out) ??
    readCurrency(event[fields.currency], fields.currency, out)
  if (flaw) return flaw
  const eventTime = readEventTime(event[fields.eventTime], fields.eventTime, rules.unit)
  if (eventTime instanceof Flaw) return eventTime
  out.eventTime = eventTime
  const userId = readOptionalText(event[fields.userId], fields.userId, LIMITS.idChars)
  if (userId instanceof Flaw) return userId
  out.userId = userId
  const dimensions = readDimensions(event, rules)
  if (dimensions instanceof Flaw) return dimensions
  out.dimensions = dimensions
  return guardTime(eventTime, arrival, rules) ?? out
}

/** All fields at once, so that every event has one hidden class. */
function blank(source: string, arrival: number): EventFields {
  return {
    journalTime: arrival,
    source,
    eventId: '',
    orderId: '',
    userId: null,
    type: ORDER,
    amountHi: 0,
    amountLo: 0,
    currency: '',
    eventTime: 0,
    dimensions: [],
  }
}

function readType(value: unknown, field: string, out: EventFields): Flaw | null {
  if (value === undefined || value === null || value === 'order') return null
  if (value === 'refund') {
    out.type = REFUND
    return null
  }
  return new Flaw(
    'wrong_type',
    field,
    `${field} ${show(value)} is not known; it is "order" or "refund" (a cancellation is a refund of the rest)`,
  )
}
