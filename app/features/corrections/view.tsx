'use client'

import { EmptyState, Failure } from '@/app/ui/emptyState'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { Revision } from '@/server/contracts/windowRow'
import { type CorrectionLine, prepareCorrections } from './prepare'

const LINES = 40

interface CorrectionsProps {
  readonly queried: readonly Revision[] | undefined
  readonly live: readonly Revision[]
  readonly zone: string | null
  readonly now: number
  readonly error: unknown
  readonly onRetry: () => void
}

/** Why numbers that were complete changed, as it happens. */
export function Corrections(props: CorrectionsProps) {
  // Beside the chart it is as tall as the chart, and scrolls.
  return (
    <div className="relative min-w-0">
      <Panel
        className="xl:absolute xl:inset-0"
        name="Corrections"
        title={<Term help={TERMS.correction}>Corrections</Term>}
        aside={<span className="text-ink-3 text-sm">live, newest first</span>}
        foot={props.zone ? `published at, ${props.zone}` : undefined}
      >
        <Body {...props} />
      </Panel>
    </div>
  )
}

function Body({ queried, live, zone, now, error, onRetry }: CorrectionsProps) {
  if (!zone || (!queried && live.length === 0)) {
    return error ? <Failure error={error} onRetry={onRetry} /> : <SkeletonLines lines={6} />
  }
  const lines = prepareCorrections({ queried: queried ?? [], live, zone, now, limit: LINES })
  if (lines.length === 0) {
    return (
      <EmptyState title="No corrections yet.">
        When an order comes after its minute was complete, the minute is corrected in the open and it is told
        here.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <ol tabIndex={0} className="max-h-80 flex-1 overflow-auto pb-2 xl:max-h-none">
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ol>
  )
}

function Line({ line }: { readonly line: CorrectionLine }) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-t px-4 py-2 first:border-t-0">
      <span>{line.what}</span>
      <span className="whitespace-nowrap text-right font-medium text-accent">{line.delta}</span>
      <span className="text-ink-3 text-xs">{line.detail}</span>
      <span className="whitespace-nowrap text-right text-ink-3 text-xs">{line.time}</span>
    </li>
  )
}
