'use client'

import { useQuery } from '@tanstack/react-query'
import { trpc } from '@/app/lib/trpc'
import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { type CommandLine, prepareCommands } from './prepare'

const SHOWN = 100

/** Who told the engine what, and what came of it. */
export function Commands({ zone, now }: { readonly zone: string | null; readonly now: number }) {
  const query = useQuery(trpc.commands.latest.queryOptions({ limit: SHOWN }, { refetchInterval: 10_000 }))
  const lines = query.data && zone ? prepareCommands(query.data, zone, now) : null
  return (
    <Panel
      name="Commands"
      title="Commands"
      foot={zone ? `the newest ${SHOWN} · times in ${zone}` : undefined}
    >
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

function Lines({ lines }: { readonly lines: readonly CommandLine[] }) {
  if (lines.length === 0) {
    return (
      <EmptyState title="No command yet.">
        A source marked idle, the watermark forced forward, another lateness: each stands here with who gave
        it, why, and what it did. They are given over the API with an operator’s key.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ul tabIndex={0} className="max-h-[22rem] overflow-auto">
      {lines.map((line) => (
        <li key={line.key} className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-t px-4 py-2">
          <p className="font-medium">{line.says}</p>
          <span className="whitespace-nowrap text-ink-3 text-sm">{line.when}</span>
          <p className="col-span-2 text-pretty text-ink-2 text-sm">
            {line.refused ? <span className="text-trouble">refused: </span> : null}
            {line.came}
            {line.watermark ? ` · ${line.watermark}` : ''}
            {line.reason ? ` · “${line.reason}”` : ''}
          </p>
        </li>
      ))}
    </ul>
  )
}
