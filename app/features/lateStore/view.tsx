'use client'

import { useQuery } from '@tanstack/react-query'
import { trpc } from '@/app/lib/trpc'
import { useAskAgain } from '@/app/lib/useAskAgain'
import { useOverview } from '@/app/lib/useOverview'
import { useScrollToHash } from '@/app/lib/useScrollToHash'
import { useStatus } from '@/app/lib/useStatus'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { type Column, Table } from '@/app/ui/table'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import { type LateLine, lateTotal, prepareLate } from './prepare'

const SHOWN = 100

export function LateStore({ zone, now }: { readonly zone: string | null; readonly now: number }) {
  const late = useLate()
  const overview = useOverview()
  useAskAgain(useStatus().status?.counts.late, late.refetch)
  const total = late.data?.total ?? 0
  useScrollToHash('late', late.data !== undefined && zone !== null)
  return (
    <Panel
      id="late"
      name="Late store"
      title={<Term help={TERMS.lateStore}>Late store</Term>}
      aside={
        <span className="text-ink-2">
          {late.data ? lateTotal(total, overview.data?.trust.lateWaiting ?? []) : ''}
        </span>
      }
      foot={total > SHOWN ? `the newest ${SHOWN} of ${total} are listed` : undefined}
    >
      <Body zone={zone} now={now} query={late} />
    </Panel>
  )
}

interface BodyProps {
  readonly zone: string | null
  readonly now: number
  readonly query: ReturnType<typeof useLate>
}

function useLate() {
  return useQuery(trpc.late.list.queryOptions({ limit: SHOWN }, { refetchInterval: 10_000 }))
}

function Body({ zone, now, query }: BodyProps) {
  if (!query.data && query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !zone) return <SkeletonLines lines={4} />
  if (query.data.rows.length === 0) {
    return (
      <EmptyState title="No order came too late.">
        One that comes after its window was closed is kept here, with the window that it missed and how late
        it was. It is in no figure.
      </EmptyState>
    )
  }
  return (
    <Table
      caption="Late store"
      columns={COLUMNS}
      rows={prepareLate(query.data.rows, zone, now)}
      rowKey={(line) => line.key}
      maxHeight="26rem"
    />
  )
}

const COLUMNS: readonly Column<LateLine>[] = [
  {
    id: 'order',
    label: 'Order',
    order: ({ order }) => order,
    cell: ({ order, type }) => (
      <>
        {order}
        {type === 'refund' ? <span className="ml-2 font-normal text-ink-2 text-sm">refund</span> : null}
      </>
    ),
  },
  { id: 'source', label: 'Source', order: ({ source }) => source, cell: ({ source }) => source },
  {
    id: 'happened',
    label: 'Happened',
    align: 'right',
    order: ({ sort }) => sort.eventTime,
    cell: ({ eventTime }) => eventTime,
  },
  { id: 'missed', label: 'Window missed', align: 'right', cell: ({ missed }) => missed },
  {
    id: 'lateBy',
    label: 'Too late by',
    align: 'right',
    order: ({ sort }) => sort.lateBy,
    cell: ({ lateBy }) => lateBy,
  },
  { id: 'seen', label: 'Came', align: 'right', order: ({ sort }) => sort.seen, cell: ({ seen }) => seen },
  { id: 'amount', label: 'Amount', align: 'right', cell: ({ amount }) => amount },
]
