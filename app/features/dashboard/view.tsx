'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLive, useWatch } from '@/app/lib/liveContext'
import { trpc } from '@/app/lib/trpc'
import { useUrlChoice, useUrlText } from '@/app/lib/urlState'
import { useOverview } from '@/app/lib/useOverview'
import { useStatus } from '@/app/lib/useStatus'
import { AfterHydration } from '@/app/ui/afterHydration'
import { unique } from '../corrections/prepare'
import { Corrections } from '../corrections/view'
import { chooseCurrency, todayFigures } from '../kpis/prepare'
import { Kpis } from '../kpis/view'
import { currenciesOf, RANGES } from '../minuteChart/prepare'
import { MINUTE_VIEW, useMinutes } from '../minuteChart/useMinutes'
import { MinuteChart, RANGE_CHOICES } from '../minuteChart/view'
import { TrustLine } from '../trustLine/view'
import { DashboardLoading } from './loading'

const DAY_VIEW = 'gmv_total_day'

/** The choices are in the URL, which is known in the browser only: until then, the page in outline. */
export function DashboardView() {
  return (
    <AfterHydration fallback={<DashboardLoading />}>
      <Dashboard />
    </AfterHydration>
  )
}

/** What is the number, can I trust it, what should I do: top to bottom. */
function Dashboard() {
  const live = useLive()
  const { status, now } = useStatus()
  const overview = useOverview()
  const corrections = useQuery(
    trpc.dashboard.corrections.queryOptions({ limit: 200 }, { refetchInterval: 30_000 }),
  )
  const today = useToday(overview.data)
  const [range, setRange] = useUrlChoice('range', RANGE_CHOICES, '1h')
  const [asked, setAsked] = useUrlText('currency')
  const changes = useMemo(
    () => unique([...live.corrections, ...(corrections.data ?? [])]),
    [live.corrections, corrections.data],
  )
  const present = useMemo(
    () => [...new Set([...today.map((t) => t.currency), ...currenciesOf(live.rows[MINUTE_VIEW] ?? [])])],
    [today, live.rows],
  )
  const currency = chooseCurrency(asked, present)
  const zone = overview.data?.zone ?? status?.zone ?? null
  const serverNow = status || overview.data ? now : null
  const minutes = useMinutes(serverNow, RANGES[range], currency, changes)
  const figures = today.find((t) => t.currency === currency) ?? (overview.data ? null : undefined)
  return (
    <>
      <div className="sticky top-12 z-20 border-line border-b bg-canvas">
        <div className="mx-auto max-w-[1360px] px-4 py-2.5 max-sm:text-sm">
          <TrustLine trust={overview.data?.trust ?? null} />
        </div>
      </div>
      <main
        id="main"
        data-live={live.state}
        className="stale-scope mx-auto grid max-w-[1360px] gap-4 px-4 py-4"
      >
        <h1 className="sr-only">Dashboard</h1>
        <Kpis
          figures={figures}
          zone={zone}
          currencies={present}
          onCurrency={setAsked}
          error={overview.error}
          onRetry={() => void overview.refetch()}
        />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]">
          <MinuteChart
            data={minutes}
            range={range}
            onRange={setRange}
            currency={currency}
            zone={zone}
            now={now}
          />
          <Corrections
            queried={corrections.data}
            live={live.corrections}
            zone={zone}
            now={now}
            error={corrections.error}
            onRetry={() => void corrections.refetch()}
          />
        </div>
      </main>
    </>
  )
}

/** Today's figures: from the query, and from the live rows of the day as soon as there are any. */
function useToday(overview: ReturnType<typeof useOverview>['data']) {
  const live = useLive()
  const dayStart = overview?.dayStart ?? null
  useWatch(
    DAY_VIEW,
    useMemo(() => (dayStart === null ? null : () => dayStart), [dayStart]),
  )
  const rows = live.rows[DAY_VIEW]
  return useMemo(() => todayFigures(overview?.today ?? [], rows ?? [], dayStart), [overview, rows, dayStart])
}
