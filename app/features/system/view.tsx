'use client'

import { Panel } from '@/app/ui/panel'
import { SkeletonLines } from '@/app/ui/skeleton'
import { Term } from '@/app/ui/term'
import { TERMS } from '@/app/ui/terms'
import type { PipelineStatus } from '@/server/contracts/status'
import { prepareSystem, type StorageFacts, type SystemFacts } from './prepare'

/** What the engine holds in memory, and how near it is to its limits (semantics.md §8). */
export function SystemPanel({ status }: { readonly status: PipelineStatus | null }) {
  return (
    <Panel name="System" title={<Term help={TERMS.state}>System</Term>} foot="measured now, in memory">
      {status ? <Facts facts={prepareSystem(status)} /> : <SkeletonLines lines={4} />}
    </Panel>
  )
}

function Facts({ facts }: { readonly facts: SystemFacts }) {
  return (
    <div className="grid gap-3 px-4 py-3 text-sm">
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {facts.sizes.map(({ id, label, size }) => (
          <div key={id} className={`contents ${id === 'total' ? 'font-medium' : ''}`}>
            <dt className={id === 'total' ? '' : 'text-ink-2'}>{label}</dt>
            <dd className="text-right">{size}</dd>
          </div>
        ))}
      </dl>
      <div>
        <p className="flex justify-between gap-4">
          <Term help={TERMS.liveIds}>Ids kept for duplicates</Term>
          <span>
            {facts.ids} <span className="text-ink-3">· {facts.idsShare}</span>
          </span>
        </p>
        <meter
          className="mt-1 h-1.5 w-full"
          min={0}
          max={100}
          high={80}
          value={facts.idsPercent}
          aria-label="Share of the limit of ids"
        />
      </div>
      {facts.storage && <Storage facts={facts.storage} />}
    </div>
  )
}

function Storage({ facts }: { readonly facts: StorageFacts }) {
  return (
    <div>
      <h3 className="font-medium">On disk</h3>
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {facts.lines.map(({ label, size }) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-right">{size}</dd>
          </div>
        ))}
      </dl>
      {facts.writtenOff && <p className="mt-1 text-pretty">{facts.writtenOff}</p>}
    </div>
  )
}

/** What the definition in force will surely disappoint in: beside the sentence, since it explains what is seen. */
export function Warnings({ status }: { readonly status: PipelineStatus | null }) {
  if (!status || status.warnings.length === 0) return null
  return (
    <section
      aria-label="Warnings about the definition"
      className="rounded border border-held px-4 py-2 text-sm"
    >
      <h2 className="font-medium">The definition works, but will disappoint</h2>
      <ul className="mt-1 grid gap-1">
        {status.warnings.map(({ path, message }) => (
          <li key={path + message} className="text-pretty">
            <span className="font-mono text-ink-2 text-xs">{path}</span> {message}
          </li>
        ))}
      </ul>
    </section>
  )
}
