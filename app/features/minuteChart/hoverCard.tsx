import { money } from '@/app/lib/format/money'
import { count } from '@/app/lib/format/number'
import { clockOf, completeTo } from '@/app/lib/format/time'
import { useStatus } from '@/app/lib/useStatus'
import type { Minute } from './prepare'
import { whatFollows } from './whatFollows'

interface HoverCardProps {
  readonly zone: string
  readonly active?: boolean
  readonly payload?: readonly { readonly payload?: Minute }[]
}

/** What a bar stands for: measures, the word for its finality, revision, watermark, and what may follow. */
export function HoverCard({ zone, active, payload }: HoverCardProps) {
  const minute = payload?.[0]?.payload
  if (!active || !minute) return null
  return (
    <div className="min-w-52 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-lg">
      <p className="flex justify-between gap-4 font-medium">
        <span>{clockOf(zone).span(minute.start, minute.end, minute.start)}</span>
        <span className="text-ink-2">{minute.mark}</span>
      </p>
      <p className={minute.mark ? 'text-accent' : 'text-ink-2'}>{minute.word}</p>
      {minute.row ? <Figures minute={minute} zone={zone} /> : null}
      <Follows minute={minute} />
    </div>
  )
}

/** Asks for the status itself: the chart need not be drawn anew each second for it. */
function Follows({ minute }: { readonly minute: Minute }) {
  const { status } = useStatus()
  const text = status && whatFollows(minute, status)
  return text ? <p className="mt-1 max-w-60 border-line border-t pt-1 text-ink-2">{text}</p> : null
}

function Figures({ minute, zone }: { readonly minute: Minute; readonly zone: string }) {
  const { row } = minute
  if (!row) return null
  const mark = row.watermark === null ? 'none yet' : clockOf(zone).seconds(completeTo(row.watermark))
  const lines = [
    ['Net', `${money(row.net, row.currency)}${minute.finality === 'open' ? '…' : ''}`],
    ['Gross', money(row.gross, row.currency)],
    ['Refunds', money(row.refunds, row.currency)],
    ['Orders', count(row.orders)],
    ['Buyers', count(row.buyers)],
    ['Revision', row.revision === 0 ? 'none yet' : String(row.revision)],
    ['Watermark', mark],
  ] as const
  return (
    <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-4 border-line border-t pt-1">
      {lines.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-2">{label}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
