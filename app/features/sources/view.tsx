'use client'

import { EmptyState } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { type Column, Table } from '@/app/ui/table'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { PipelineStatus } from '@/server/contracts/status'
import { FirstOrder } from '../firstOrder/view'
import { type Cell, prepareSources, type SourceLine } from './prepare'

interface SourcesProps {
  readonly status: PipelineStatus | null
  readonly now: number
}

export function Sources({ status, now }: SourcesProps) {
  return (
    <Panel
      name="Sources"
      title="Sources"
      aside={<span className="text-ink-3 text-sm">▶ holds the pipeline back</span>}
      foot={status ? `times in ${status.zone}` : undefined}
    >
      <Body status={status} now={now} />
    </Panel>
  )
}

function Body({ status, now }: SourcesProps) {
  if (!status) return <SkeletonLines lines={5} />
  if (status.sources.length === 0) {
    return (
      <EmptyState title="No source yet.">
        <p>
          A source is one lane of orders with its own clock: a shop, a till, a partner. Its name is yours to
          choose.
        </p>
        <FirstOrder />
      </EmptyState>
    )
  }
  return (
    <Table
      caption="Sources"
      columns={COLUMNS}
      rows={prepareSources(status, now)}
      rowKey={(line) => line.name}
    />
  )
}

type CellId = {
  [Id in keyof SourceLine]: SourceLine[Id] extends Cell ? Id : never
}[keyof SourceLine]

function plain(id: CellId, label: string, help?: string): Column<SourceLine> {
  return {
    id,
    label,
    header: help ? <Term help={help}>{label}</Term> : label,
    align: 'right',
    order: (line) => line[id].order,
    cell: (line) => <span className={line[id].text === 'never' ? 'text-ink-3' : ''}>{line[id].text}</span>,
  }
}

const STATES = {
  active: 'bg-good',
  quiet: 'bg-held',
  idle: 'bg-ink-3',
  never: 'bg-held',
  retired: 'bg-ink-3',
}

const COLUMNS: readonly Column<SourceLine>[] = [
  {
    id: 'name',
    label: 'Source',
    order: ({ name }) => name,
    cell: ({ name, holdsBack, resendsHistory, wait }) => (
      <span className="flex items-baseline gap-1.5">
        <span aria-hidden className={holdsBack ? 'text-held' : 'invisible max-md:hidden'}>
          ▶
        </span>
        {name}
        {holdsBack ? <span className="font-normal text-ink-2 text-sm">slowest</span> : null}
        {resendsHistory ? (
          <span className="font-normal text-held text-sm">
            <Term help={TERMS.resendsHistory}>re-sends history</Term>
          </span>
        ) : null}
        {wait ? <span className="font-normal text-ink-2 text-sm">{wait}</span> : null}
      </span>
    ),
  },
  {
    id: 'state',
    label: 'State',
    header: <Term help={TERMS.idle}>State</Term>,
    order: ({ state }) => state.order,
    cell: ({ state, tone, idleAt }) => (
      <span className="flex flex-col">
        <span className="flex items-center gap-2">
          <span aria-hidden className={`size-1.5 rounded-full ${STATES[tone]}`} />
          {state.text}
        </span>
        {idleAt ? <span className="pl-3.5 text-ink-3 text-xs">{idleAt}</span> : null}
      </span>
    ),
  },
  plain('watermark', 'Watermark', TERMS.watermark),
  plain('behind', 'Behind'),
  plain('newest', 'Newest order'),
  plain('lastRecord', 'Last heard'),
  plain('bound', 'Bound', TERMS.outOfOrderness),
  {
    id: 'layers',
    label: 'In time · corrected · late',
    header: <Term help={TERMS.layers}>In time · corrected · late</Term>,
    align: 'right',
    order: ({ layers }) => layers.order,
    cell: ({ layers, shares }) => (
      <span className="flex flex-col md:items-end">
        {layers.text}
        <span className="text-ink-3 text-xs">{shares}</span>
      </span>
    ),
  },
  plain('duplicates', 'Duplicates', TERMS.duplicate),
  plain('quarantined', 'Quarantined', TERMS.quarantine),
]
