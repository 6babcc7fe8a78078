'use client'

import Link from 'next/link'
import { explain } from '@/app/lib/explain'
import { useLive } from '@/app/lib/liveContext'
import { useStatus } from '@/app/lib/useStatus'
import { Skeleton } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { Trust } from '@/server/contracts/overview'
import { prepareTrustLine } from './prepare'

/** Always in view, under the bar: how far to trust every figure below it. */
export function TrustLine({ trust }: { readonly trust: Trust | null }) {
  const live = useLive()
  const { status, now, error } = useStatus()
  if (!status) {
    return error ? (
      <p role="alert" className="text-trouble">
        {explain(error).happened} <span className="text-ink-2">{explain(error).advice}</span>
      </p>
    ) : (
      <Skeleton className="my-0.5 h-4 w-full max-w-xl" />
    )
  }
  const silentFor = live.state === 'stale' ? live.silentFor : 0
  const line = prepareTrustLine(status, trust, now, silentFor)
  return (
    <p className="text-ink-2">
      <span className="sr-only" aria-live="polite">
        {line.spoken}
      </span>
      {line.alarm ? (
        <>
          <Link href="/console" className="font-semibold text-trouble hover:underline">
            {line.alarm}
          </Link>
          {' · '}
        </>
      ) : null}
      <Term help={TERMS.watermark} className="font-semibold text-ink">
        {line.lead}
      </Term>
      {line.parts.map((part) => (
        <span key={part}>
          {' · '}
          {part}
        </span>
      ))}
      {line.waiting ? (
        <>
          {' · '}
          <Link href="/console#late" className="whitespace-nowrap text-accent hover:underline">
            {line.waiting} →
          </Link>
        </>
      ) : null}
    </p>
  )
}
