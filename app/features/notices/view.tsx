'use client'

import { useQuery } from '@tanstack/react-query'
import { trpc } from '@/app/lib/trpc'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { type NoticeLine, prepareNotices } from './prepare'

const SHOWN = 100

/** What the engine noticed and no counter shows. */
export function Notices({ zone, now }: { readonly zone: string | null; readonly now: number }) {
  const query = useQuery(trpc.notices.latest.queryOptions({ limit: SHOWN }, { refetchInterval: 10_000 }))
  const lines = query.data && zone ? prepareNotices(query.data, zone, now) : null
  return (
    <Panel name="Notices" title="Notices" foot={zone ? `the newest ${SHOWN} · times in ${zone}` : undefined}>
      {lines ? (
        <Lines lines={lines} />
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonLines lines={3} />
      )}
    </Panel>
  )
}

function Lines({ lines }: { readonly lines: readonly NoticeLine[] }) {
  if (lines.length === 0) {
    return (
      <EmptyState title="Nothing to report.">
        Here stands what no counter shows: a source that sends its history again, a window that is full of
        keys, more sources than there is room for.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul tabIndex={0} className="max-h-[22rem] overflow-auto">
      {lines.map(({ key, says, means, when, over }) => (
        <li key={key} className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-t px-4 py-2">
          <p className={over ? 'text-ink-2' : 'font-medium'}>{says}</p>
          <span className="whitespace-nowrap text-ink-3 text-sm">{when}</span>
          <p className="col-span-2 max-w-prose text-pretty text-ink-2 text-sm">{means}</p>
        </li>
      ))}
    </ul>
  )
}
