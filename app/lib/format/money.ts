const LOCALE = 'en'
const DECIMAL = /^-?\d+(\.\d+)?$/

/** Narrow no-break space: "¥ 1,204.00" never breaks between the sign and the figure. */
const THIN = '\u202f'

const JOIN = '\u2060'

export interface MoneyStyle {
  /** Write "+" before what is more than zero: for deltas. */
  readonly signed?: boolean
  /** Add the currency's code: "¥" and "$" stand for several, so a screen with two currencies says which. */
  readonly coded?: boolean
}

/**
 * An amount in its currency's own digits. The decimal string goes to Intl as it is, which formats strings exactly
 * (field cases 34, 35): 9007199254740993.1250 stays …993.13.
 */
export function money(amount: string, currency: string, style: MoneyStyle = {}): string {
  const parts = formatter(currency, style.signed ?? false, false).formatToParts(exact(amount))
  return `${spaced(parts)}${style.coded ? ` ${currency}` : ''}`
}

/** "¥ 1.2M", for an axis. */
export function moneyShort(amount: number, currency: string): string {
  return spaced(formatter(currency, false, true).formatToParts(amount))
}

/** How many decimals the currency has: 2 for CNY, 0 for JPY. */
export function currencyDigits(currency: string): number {
  return formatter(currency, false, false).resolvedOptions().maximumFractionDigits ?? 2
}

function exact(amount: string): Intl.StringNumericLiteral {
  if (!isDecimal(amount)) throw new RangeError(`not an amount: ${JSON.stringify(amount)}`)
  return amount
}

function isDecimal(amount: string): amount is `${number}` {
  return DECIMAL.test(amount)
}

function spaced(parts: readonly Intl.NumberFormatPart[]): string {
  return parts
    .filter((part) => part.type !== 'literal')
    .map((part) => (part.type === 'currency' ? `${part.value}${THIN}` : signOf(part)))
    .join('')
}

/** A real minus sign is as wide as "+" and the figures; joined, so that no line ends between sign and amount. */
function signOf(part: Intl.NumberFormatPart): string {
  if (part.type !== 'minusSign' && part.type !== 'plusSign') return part.value
  return `${part.type === 'minusSign' ? '−' : '+'}${JOIN}`
}

const formatters = new Map<string, Intl.NumberFormat>()

/** Making an Intl formatter costs far more than using one. */
function formatter(currency: string, signed: boolean, short: boolean): Intl.NumberFormat {
  const key = `${currency}|${signed}|${short}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    signDisplay: signed ? 'exceptZero' : 'negative',
    ...(short ? { notation: 'compact', maximumSignificantDigits: 3 } : {}),
  })
  formatters.set(key, made)
  return made
}
