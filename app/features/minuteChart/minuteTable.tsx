'use client'

import { heightOf } from '@/app/lib/format/decimal'
import { money } from '@/app/lib/format/money'
import { count } from '@/app/lib/format/number'
import { clockOf, completeTo } from '@/app/lib/format/time'
import { useStatus } from '@/app/lib/useStatus'
import { type Column, Table } from '@/app/ui/table'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { PipelineStatus } from '@/server/contracts/status'
import type { Minute } from './prepare'
import { changesUntil } from './whatFollows'

interface MinuteTableProps {
  readonly minutes: readonly Minute[]
  readonly zone: string
  readonly now: number
}

/** The chart's data, newest first, in the same words. */
export function MinuteTable({ minutes, zone, now }: MinuteTableProps) {
  const { status } = useStatus()
  return (
    <Table
      caption="Net GMV per minute"
      columns={columnsOf(zone, now, status)}
      rows={[...minutes].reverse()}
      rowKey={(minute) => String(minute.start)}
      rowClass={(minute) => (minute.finality === 'open' || !minute.row ? 'text-ink-2' : '')}
      maxHeight="24rem"
    />
  )
}

function columnsOf(zone: string, now: number, status: PipelineStatus | null): readonly Column<Minute>[] {
  const clock = clockOf(zone)
  const amount = (id: 'net' | 'gross' | 'refunds', label: string): Column<Minute> => ({
    id,
    label,
    align: 'right',
    order: ({ row }) => (row ? heightOf(row[id]) : Number.NEGATIVE_INFINITY),
    cell: ({ row, finality }) =>
      row ? `${money(row[id], row.currency)}${finality === 'open' ? '…' : ''}` : '',
  })
  const number = (id: 'orders' | 'buyers', label: string): Column<Minute> => ({
    id,
    label,
    align: 'right',
    order: ({ row }) => row?.[id] ?? -1,
    cell: ({ row }) => (row ? count(row[id]) : ''),
  })
  return [
    {
      id: 'window',
      label: 'Window',
      order: ({ start }) => start,
      cell: ({ start, end }) => clock.span(start, end, now),
    },
    amount('net', 'Net'),
    amount('gross', 'Gross'),
    amount('refunds', 'Refunds'),
    number('orders', 'Orders'),
    number('buyers', 'Buyers'),
    {
      id: 'watermark',
      label: 'Watermark',
      align: 'right',
      cell: ({ row }) => (row?.watermark == null ? '' : clock.seconds(completeTo(row.watermark))),
    },
    {
      id: 'until',
      label: 'May change until',
      header: <Term help={TERMS.allowedLateness}>May change until</Term>,
      align: 'right',
      cell: (minute) => (status ? changesUntil(minute, status) : ''),
    },
    { id: 'state', label: 'State', wide: true, order: ({ word }) => word, cell: stateCell },
  ]
}

function stateCell({ word, mark }: Minute) {
  return (
    <span className={mark ? 'text-accent' : ''}>
      {word}
      {mark ? (
        <>
          , <span className="whitespace-nowrap">{mark}</span>
        </>
      ) : null}
    </span>
  )
}
