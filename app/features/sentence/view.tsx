'use client'

import { explain } from '@/app/lib/explain'
import { useLive } from '@/app/lib/liveContext'
import { useStatus } from '@/app/lib/useStatus'
import { Skeleton } from '@/app/ui/skeleton'
import { preparePipelineSentence, prepareStaleSentence, type Sentence } from './prepare'

const BARS: Record<Sentence['tone'], string> = {
  well: 'border-good',
  waiting: 'border-ink-3',
  held: 'border-held',
  trouble: 'border-trouble',
}

/** The first line of the console. The bar at its side repeats the tone; the words carry it. */
export function PipelineSentence() {
  const live = useLive()
  const { status, now, error } = useStatus()
  if (!status && error) {
    const { happened, advice } = explain(error)
    return <Shown sentence={{ tone: 'trouble', says: happened, means: advice }} />
  }
  if (!status) {
    return (
      <div className="border-line border-l-4 py-1 pl-4">
        <Skeleton className="mb-2 h-5 w-full max-w-lg" />
        <Skeleton className="h-4 w-full max-w-xl" />
      </div>
    )
  }
  const stale = live.state === 'stale'
  return (
    <Shown
      sentence={stale ? prepareStaleSentence(status, live.silentFor) : preparePipelineSentence(status, now)}
    />
  )
}

function Shown({ sentence }: { readonly sentence: Sentence }) {
  return (
    <div className={`border-l-4 py-1 pl-4 ${BARS[sentence.tone]}`}>
      <p className="text-pretty font-semibold text-lg">{sentence.says}</p>
      <p className="max-w-4xl text-pretty text-ink-2">{sentence.means}</p>
      {/* Read out when the state changes, not when its seconds do. */}
      <span className="sr-only" aria-live="polite">
        {TONES[sentence.tone]}
      </span>
    </div>
  )
}

const TONES: Record<Sentence['tone'], string> = {
  well: 'The pipeline is well.',
  waiting: 'The pipeline waits.',
  held: 'The pipeline is held.',
  trouble: 'The pipeline is in trouble.',
}
