import type { JournalRecord } from '../../contracts/journalRecord'
import type { PipelineSpec } from '../../contracts/pipelineSpec'
import type { PendingChange } from '../state'

/**
 * A record as the second fold reads it: the definitions of the journal, each with the new views in the place of its
 * own. A view that stays has, at each time, the limit of keys that it had then.
 */
export function underViews(record: JournalRecord, change: PendingChange): JournalRecord {
  if (record.kind === 'spec') return { ...record, spec: specUnder(record.spec, change) }
  if (record.kind !== 'command' || record.command.kind !== 'changeSpec') return record
  return { ...record, command: { ...record.command, spec: specUnder(record.command.spec, change) } }
}

/** A definition of the past with the new views. */
export function specUnder(spec: PipelineSpec, { views, tzdata, position }: PendingChange): PipelineSpec {
  return {
    ...spec,
    tzdata,
    views: views.map((view) => {
      if (view.version === position) return view
      const then = spec.views.find(({ id, version }) => id === view.id && version === view.version)
      return then ? { ...view, maxKeys: then.maxKeys } : view
    }),
  }
}
