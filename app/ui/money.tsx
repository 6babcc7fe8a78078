import { type MoneyStyle, money } from '../lib/format/money'

interface MoneyProps extends MoneyStyle {
  readonly amount: string
  readonly currency: string
  readonly className?: string
}

/** An amount: in one piece, in its currency. */
export function Money({ amount, currency, className = '', ...style }: MoneyProps) {
  return <span className={`whitespace-nowrap ${className}`}>{money(amount, currency, style)}</span>
}
