'use client'

import { Failure } from '@/app/ui/emptyState'
import { Segmented } from '@/app/ui/segmented'
import { Stat, StatSkeleton } from '@/app/ui/stat'
import type { TodayFigures } from '@/server/contracts/overview'
import { type Kpi, noFigures, prepareKpis } from './prepare'

interface KpisProps {
  /** undefined: not known yet; null: known, and there are none today. */
  readonly figures: TodayFigures | null | undefined
  readonly zone: string | null
  /** More than one: a switch. They are never added. */
  readonly currencies: readonly string[]
  readonly onCurrency: (next: string) => void
  readonly error: unknown
  readonly onRetry: () => void
}

const IDS: readonly Kpi['id'][] = ['net', 'orders', 'buyers', 'average', 'refunds']

/** The largest figure first; on a phone it has the first row to itself. */
const GRID = 'grid grid-cols-2 lg:grid-cols-[1.5fr_1fr_1fr_1fr_1fr]'

export function Kpis({ figures, zone, currencies, onCurrency, error, onRetry }: KpisProps) {
  return (
    <section aria-label="Today" className="panel overflow-hidden rounded-lg border border-line bg-panel">
      <header className="flex items-center justify-between gap-4 px-4 pt-3">
        <h2 className="font-semibold text-base">
          So far today<span className="font-normal text-ink-3">{zone ? `, ${zone}` : ''}</span>
        </h2>
        {currencies.length > 1 && figures ? (
          <Segmented label="Currency" choices={currencies} value={figures.currency} onChange={onCurrency} />
        ) : null}
      </header>
      {figures === undefined && error ? (
        <Failure error={error} onRetry={onRetry} />
      ) : (
        <dl className={GRID}>
          {figures === undefined
            ? IDS.map((id) => <StatSkeleton key={id} className={cellOf(id)} />)
            : (figures ? prepareKpis(figures) : noFigures()).map((kpi) => (
                <Stat
                  key={kpi.id}
                  className={cellOf(kpi.id)}
                  label={kpi.label}
                  help={kpi.help}
                  value={kpi.value}
                  detail={kpi.detail}
                  open={figures !== null && kpi.value !== 'n/a'}
                />
              ))}
        </dl>
      )}
    </section>
  )
}

function cellOf(id: Kpi['id']): string {
  return id === 'net' ? 'col-span-2 lg:col-span-1' : 'lg:border-line lg:border-l'
}
