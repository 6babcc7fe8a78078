'use client'

import dynamic from 'next/dynamic'
import { duration } from '@/app/lib/format/duration'
import { useUrlChoice } from '@/app/lib/urlState'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { Segmented } from '@/app/ui/segmented'
import { Skeleton } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import { FirstOrder } from '../firstOrder/view'
import { Legend } from './legend'
import { MinuteTable } from './minuteTable'
import { MINUTE, RANGES, type Range } from './prepare'
import type { Minutes } from './useMinutes'

/** The chart library is the heaviest part of the page: it comes after the figures, into a place of its size. */
const Chart = dynamic(() => import('./chart'), { ssr: false, loading: () => <ChartSkeleton /> })

export const RANGE_CHOICES = Object.keys(RANGES) as Range[]

interface MinuteChartProps {
  readonly data: Minutes
  readonly range: Range
  readonly onRange: (next: Range) => void
  readonly currency: string | null
  readonly zone: string | null
  readonly now: number
}

export function MinuteChart(props: MinuteChartProps) {
  const [shape, setShape] = useUrlChoice('as', ['chart', 'table'] as const, 'chart')
  return (
    <Panel
      name="Net GMV per minute"
      title={
        <>
          Net GMV per <Term help={TERMS.window}>minute</Term>
          {props.currency ? <span className="font-normal text-ink-3">, {props.currency}</span> : null}
        </>
      }
      aside={
        <div className="flex gap-2">
          <Segmented label="Range" choices={RANGE_CHOICES} value={props.range} onChange={props.onRange} />
          <Segmented label="Show as" choices={['chart', 'table']} value={shape} onChange={setShape} />
        </div>
      }
      foot={
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
          <Legend />
          <span>by event time{props.zone ? `, ${props.zone}` : ''}</span>
        </div>
      }
    >
      <div className="flex min-h-72 flex-col lg:min-h-96">
        <Body {...props} shape={shape} />
      </div>
    </Panel>
  )
}

function Body({
  data,
  currency,
  zone,
  now,
  shape,
}: MinuteChartProps & { readonly shape: 'chart' | 'table' }) {
  if (data.error) return <Failure error={data.error} onRetry={data.retry} />
  if (!data.minutes || !zone) return <ChartSkeleton />
  if (!currency) return <NoOrders />
  if (data.minutes.every(({ row }) => row === null)) return <NoneInRange range={data.minutes.length} />
  if (shape === 'table') return <MinuteTable minutes={data.minutes} zone={zone} now={now} />
  return <Chart minutes={data.minutes} currency={currency} zone={zone} />
}

function ChartSkeleton() {
  return (
    <div role="status" className="h-72 px-4 py-6 lg:h-96">
      <span className="sr-only">Loading the chart</span>
      <Skeleton className="h-full w-full" />
    </div>
  )
}

function NoneInRange({ range }: { readonly range: number }) {
  return (
    <EmptyState title={`No orders in the last ${duration(range * MINUTE)}.`}>
      Earlier ones are in the figures of today. A longer range may show them.
    </EmptyState>
  )
}

function NoOrders() {
  return (
    <EmptyState title="No orders yet.">
      <p>They appear here about a second after they are received, in the minute in which they happened.</p>
      <FirstOrder />
    </EmptyState>
  )
}
