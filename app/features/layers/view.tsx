'use client'

import { setting } from '@/app/lib/format/duration'
import { count } from '@/app/lib/format/number'
import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { PipelineStatus } from '@/server/contracts/status'
import { type Layer, prepareLayers } from './prepare'

export function LayerCounters({ status }: { readonly status: PipelineStatus | null }) {
  if (!status) {
    return (
      <Panel name="Where every event went" title="Where every event went">
        <SkeletonLines lines={5} />
      </Panel>
    )
  }
  const { layers, identity, holds } = prepareLayers(status.counts)
  return (
    <Panel
      name="Where every event went"
      title="Where every event went"
      foot={
        <span className={holds ? '' : 'text-trouble'}>
          {identity} · {holds ? 'nothing is uncounted' : 'the counters disagree: run npm run audit'}
        </span>
      }
    >
      <dl className="grid grid-cols-1 sm:grid-cols-5">
        {layers.map((layer) => (
          <Counter key={layer.id} layer={layer} />
        ))}
      </dl>
      <Facts status={status} />
    </Panel>
  )
}

function Counter({ layer }: { readonly layer: Layer }) {
  return (
    <div className="flex flex-col px-4 py-2 sm:not-first:border-line sm:not-first:border-l">
      <dt className="text-ink-2 text-sm">{layer.label}</dt>
      <dd>
        <span className="font-semibold text-lg">{layer.count}</span>{' '}
        <span className="text-ink-3 text-sm">{layer.share}</span>
        <span className="block text-pretty text-ink-3 text-xs">{layer.meaning}</span>
      </dd>
    </div>
  )
}

/** The settings in force and what the engine holds: units named, since windows, ids and records are not orders. */
function Facts({ status }: { readonly status: PipelineStatus }) {
  const facts = [
    [
      <Term key="l" help={TERMS.allowedLateness}>
        Allowed lateness
      </Term>,
      setting(status.allowedLateness),
    ],
    ['Open windows', count(status.openWindows)],
    ['Complete, still correctable', `${count(status.firedWindows)} windows`],
    ['Ids kept for duplicates', count(status.liveIds)],
    ['Journal', `record ${count(status.journaled)}, counted to ${count(status.committed)}`],
  ] as const
  return (
    <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 border-line border-t px-4 py-3 text-sm">
      {facts.map(([label, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <div key={i} className="flex gap-2">
          <dt className="text-ink-3">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
