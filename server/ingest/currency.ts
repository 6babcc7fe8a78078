import type { EventFields } from '../contracts/eventBatch'
import { Flaw, show } from './flaw'

/** What ISO 4217 means here: the currencies of this Node's ICU. Read once: the call builds a list each time. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Reads an upper-case ISO 4217 code into `out.currency` (design.md §3). */
export function readCurrency(value: unknown, field: string, out: EventFields): Flaw | null {
  if (typeof value === 'string') {
    if (!CURRENCIES.has(value)) return new Flaw('currency_unknown', field, why(value, field))
    out.currency = value
    return null
  }
  if (value === undefined || value === null) {
    return new Flaw('missing_field', field, `${field} is missing: send an ISO 4217 code such as "CNY"`)
  }
  return new Flaw('wrong_type', field, `${field} is ${show(value)}; send an ISO 4217 code such as "CNY"`)
}

function why(text: string, field: string): string {
  const upper = text.trim().toUpperCase()
  const shown = `${field} ${show(text)}`
  return CURRENCIES.has(upper)
    ? `${shown} is not in upper case without blanks: send "${upper}"`
    : `${shown} is not an ISO 4217 currency: send a code such as "CNY", "USD" or "EUR"`
}
