'use client'

import { useLive } from '@/app/lib/liveContext'
import { useStatus } from '@/app/lib/useStatus'
import { AfterHydration } from '@/app/ui/afterHydration'
import { Commands } from '../commands/view'
import { LateStore } from '../lateStore/view'
import { LayerCounters } from '../layers/view'
import { Notices } from '../notices/view'
import { Quarantine } from '../quarantine/view'
import { PipelineSentence } from '../sentence/view'
import { Sources } from '../sources/view'
import { SystemPanel, Warnings } from '../system/view'
import { ConsoleLoading } from './loading'

export function ConsoleView() {
  return (
    <AfterHydration fallback={<ConsoleLoading />}>
      <Console />
    </AfterHydration>
  )
}

/** A sentence first; then who, how many, and what waits for a person. */
function Console() {
  const live = useLive()
  const answer = useStatus()
  const { status } = answer
  // Ages of what was last heard, not of a clock that nobody confirms.
  const now = live.state === 'stale' && status ? status.now : answer.now
  const zone = status?.zone ?? null
  return (
    <main
      id="main"
      data-live={live.state}
      className="stale-scope mx-auto grid max-w-[1360px] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4"
    >
      <h1 className="sr-only">Console</h1>
      <PipelineSentence />
      <Warnings status={status} />
      <Sources status={status} now={now} />
      <LayerCounters status={status} />
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
        <LateStore zone={zone} now={now} />
        <Quarantine zone={zone} now={now} />
      </div>
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4">
          <Notices zone={zone} now={now} />
          <Commands zone={zone} now={now} />
        </div>
        <SystemPanel status={status} />
      </div>
    </main>
  )
}
