'use client'

import { useQuery } from '@tanstack/react-query'
import { count } from '@/app/lib/format/number'
import { trpc } from '@/app/lib/trpc'
import { useAskAgain } from '@/app/lib/useAskAgain'
import { useStatus } from '@/app/lib/useStatus'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import { prepareQuarantine, type QuarantineLine } from './prepare'

const SHOWN = 100

export function Quarantine({ zone, now }: { readonly zone: string | null; readonly now: number }) {
  const query = useQuery(trpc.console.quarantine.queryOptions({ limit: SHOWN }, { refetchInterval: 10_000 }))
  useAskAgain(useStatus().status?.counts.quarantined, query.refetch)
  const total = query.data?.total ?? 0
  const lines = query.data && zone ? prepareQuarantine(query.data.rows, zone, now) : null
  return (
    <Panel
      id="quarantine"
      name="Quarantine"
      title={<Term help={TERMS.quarantine}>Quarantine</Term>}
      aside={<span className="text-ink-2">{query.data ? `${count(total)} set aside` : ''}</span>}
      foot={total > SHOWN ? `the newest ${SHOWN} of ${count(total)} are listed` : undefined}
    >
      {lines ? (
        <Lines lines={lines} />
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonLines lines={4} />
      )}
    </Panel>
  )
}

function Lines({ lines }: { readonly lines: readonly QuarantineLine[] }) {
  if (lines.length === 0) {
    return (
      <EmptyState title="Nothing was set aside.">
        An event that fails its check is kept here as it came, with what is wrong and how to mend it. Its
        neighbours in the request count.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul tabIndex={0} className="max-h-[26rem] overflow-auto">
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ul>
  )
}

function Line({ line }: { readonly line: QuarantineLine }) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-t px-4 py-2">
      <p>
        <span className="font-medium">{line.reason}</span>
        <span className="text-ink-2">
          {' '}
          · {line.source}
          {line.eventId ? ` · ${line.eventId}` : ''}
        </span>
      </p>
      <span className="whitespace-nowrap text-ink-3 text-sm">{line.received}</span>
      <p className="col-span-2 max-w-prose text-pretty text-ink-2">{line.message}</p>
      <details className="col-span-2 text-sm">
        <summary className="w-fit cursor-pointer text-ink-3 hover:text-ink">
          as received{line.cut ? ', cut at 16 KiB' : ''}
        </summary>
        <pre className="mt-1 max-h-48 overflow-auto whitespace-pre-wrap rounded bg-canvas p-2 font-mono [overflow-wrap:anywhere]">
          {line.raw}
        </pre>
      </details>
    </li>
  )
}
