'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { trpc } from '@/app/lib/trpc'
import { useAskAgain } from '@/app/lib/useAskAgain'
import { useOverview } from '@/app/lib/useOverview'
import { useScrollToHash } from '@/app/lib/useScrollToHash'
import { useStatus } from '@/app/lib/useStatus'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { Segmented } from '@/app/ui/segmented'
import { SkeletonLines } from '@/app/ui/skeleton'
import { Table } from '@/app/ui/table'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import { type LateAction, type LateList, LISTS, listOf, whatCanBeDone } from './actions'
import { SelectionBar } from './buttons'
import { columnsOf } from './columns'
import { KeyForm } from './keyForm'
import { type LateLine, lateTotal, prepareLate } from './prepare'
import { useLateActions } from './useLateActions'

const SHOWN = 100
const NOBODY: ReadonlySet<string> = new Set()

export function LateStore({ zone, now }: { readonly zone: string | null; readonly now: number }) {
  const [list, setList] = useState<LateList>('waiting')
  const [selected, setSelected] = useState(NOBODY)
  // Here and not in a list: the key outlives a change of lists.
  const actions = useLateActions(() => setSelected(NOBODY))
  const late = useLate(list)
  const waiting = useLate('waiting')
  const overview = useOverview()
  const counts = useStatus().status?.counts
  useAskAgain(counts && counts.late + counts.duplicate + counts.corrected, late.refetch)
  const total = late.data?.total ?? 0
  useScrollToHash('late', late.data !== undefined && zone !== null)
  return (
    <Panel
      id="late"
      name="Late store"
      title={<Term help={TERMS.lateStore}>Late store</Term>}
      aside={
        <span className="text-ink-2">
          {waiting.data ? lateTotal(waiting.data.total, overview.data?.trust.lateWaiting ?? []) : ''}
        </span>
      }
      foot={total > SHOWN ? `the newest ${SHOWN} of ${total} are listed` : undefined}
    >
      <div className="flex overflow-x-auto whitespace-nowrap px-4 pb-2">
        <Segmented
          label="Which late orders"
          choices={LISTS}
          value={list}
          onChange={(next) => {
            setList(next)
            setSelected(NOBODY)
          }}
        />
      </div>
      <Body
        list={list}
        zone={zone}
        now={now}
        query={late}
        selected={selected}
        onSelected={setSelected}
        late={actions}
      />
    </Panel>
  )
}

interface BodyProps {
  readonly list: LateList
  readonly zone: string | null
  readonly now: number
  readonly query: ReturnType<typeof useLate>
  readonly selected: ReadonlySet<string>
  readonly onSelected: (next: ReadonlySet<string>) => void
  readonly late: ReturnType<typeof useLateActions>
}

function useLate(list: LateList) {
  const input = { statuses: [...listOf(list)], limit: SHOWN }
  return useQuery(trpc.late.list.queryOptions(input, { refetchInterval: 10_000 }))
}

function Body({ list, zone, now, query, selected, onSelected, late }: BodyProps) {
  const { hasKey, waiting, go } = late
  useEffect(() => {
    if (hasKey && waiting) go()
  })
  if (!query.data && query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !zone) return <SkeletonLines lines={4} />
  const lines = prepareLate(query.data.rows, zone, now)
  const chosen = lines.filter(({ key }) => selected.has(key))
  const act = (action: LateAction, on: readonly LateLine[]) =>
    late.ask({ action, events: on.map(({ id }) => id) })
  const doing = late.doing && {
    action: late.doing.action,
    keys: new Set(late.doing.events.map(({ source, eventId }) => `${source}/${eventId}`)),
  }
  const columns = columnsOf({
    selected,
    doing,
    onSelect: ({ key }, on) => onSelected(changed(selected, key, on)),
    onAct: (action, line) => act(action, [line]),
  })
  return (
    <>
      {waiting && !hasKey ? <KeyForm onKey={late.enterKey} onCancel={late.forget} /> : null}
      {late.answer ? (
        <p
          role={late.answer.tone === 'done' ? 'status' : 'alert'}
          className={`px-4 pb-2 ${late.answer.tone === 'done' ? 'text-good' : 'text-trouble'}`}
        >
          {late.answer.text}
        </p>
      ) : null}
      {lines.length === 0 ? (
        <Empty list={list} />
      ) : (
        <Table
          caption="Late store"
          columns={columns}
          rows={lines}
          rowKey={(line) => line.key}
          maxHeight="26rem"
        />
      )}
      {chosen.length > 0 ? (
        <SelectionBar
          count={chosen.length}
          actions={whatCanBeDone(chosen[0]?.status ?? 'unverified')}
          doing={doing?.action ?? null}
          onAct={(action) => act(action, chosen)}
          onClear={() => onSelected(NOBODY)}
        />
      ) : null}
    </>
  )
}

function changed(selected: ReadonlySet<string>, key: string, on: boolean): ReadonlySet<string> {
  const next = new Set(selected)
  if (on) next.add(key)
  else next.delete(key)
  return next
}

const NOTHING: Readonly<Record<LateList, readonly [title: string, text: string]>> = {
  waiting: [
    'No order came too late.',
    'One that comes after its window was closed is kept here, with the window that it missed and how late it was. It is in no figure until somebody puts it back.',
  ],
  'put back': [
    'Nothing was put back.',
    'Late orders that somebody, or a rule, counted after all are listed here.',
  ],
  'written off': [
    'Nothing was written off.',
    'Late orders that shall stay out of the figures are listed here.',
  ],
  'taken out': [
    'Nothing was taken out.',
    'Orders that were in the figures, and that somebody took out again, are listed here. They can be put back.',
  ],
  repeats: [
    'No late order was a repeat.',
    'A late order whose event was counted before is found out within seconds and listed here. It counts once.',
  ],
}

function Empty({ list }: { readonly list: LateList }) {
  const [title, text] = NOTHING[list]
  return <EmptyState title={title}>{text}</EmptyState>
}
