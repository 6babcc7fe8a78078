import { count } from '@/app/lib/format/number'
import { clockOf } from '@/app/lib/format/time'
import type { CommandKind } from '@/server/contracts/command'
import type { CommandDone } from '@/server/contracts/flush'
import type { EventId } from '@/server/contracts/lateStore'

export interface CommandLine {
  readonly key: string
  /** "Ann marked pos-3 idle" */
  readonly says: string
  readonly reason: string
  /** What came of it: what changed, or why it was refused. */
  readonly came: string
  readonly refused: boolean
  /** "watermark 14:20:00 → 14:24:05"; null when it stood. */
  readonly watermark: string | null
  readonly when: string
}

const DID: Record<CommandKind, string> = {
  setStrategy: 'set the strategy of',
  declareSource: 'declared',
  retireSource: 'retired',
  forceWatermark: 'forced the watermark forward',
  markIdle: 'marked idle:',
  markActive: 'marked active:',
  changeSpec: 'changed the definition',
  cancelChange: 'gave up a change of the definition',
  switchSpec: 'switched to the new definition',
  reinject: 're-injected',
  void: 'voided',
  writeOff: 'wrote off',
  confirmDuplicates: 'found repeats:',
}

export function prepareCommands(
  commands: readonly CommandDone[],
  zone: string,
  now: number,
): readonly CommandLine[] {
  const clock = clockOf(zone)
  const at = (value: number | null) => (value === null ? 'none' : clock.instant(value, now))
  return commands.map((done) => {
    const { outcome, order, position } = done
    const moved = outcome.watermarkBefore !== outcome.watermarkAfter
    return {
      key: String(position),
      says: [order.by, DID[done.command.kind], subjectOf(done)].filter(Boolean).join(' '),
      reason: order.reason,
      came: outcome.refused ?? outcome.changes.join('; '),
      refused: outcome.refused !== null,
      watermark: moved ? `watermark ${at(outcome.watermarkBefore)} → ${at(outcome.watermarkAfter)}` : null,
      when: clock.instant(done.at, now),
    }
  })
}

function subjectOf({ command }: CommandDone): string {
  switch (command.kind) {
    case 'declareSource':
      return command.source.name
    case 'setStrategy':
      return command.source ?? 'all sources that have none of their own'
    case 'retireSource':
    case 'markIdle':
    case 'markActive':
      return command.source
    case 'forceWatermark':
    case 'changeSpec':
    case 'cancelChange':
    case 'switchSpec':
      return ''
    case 'reinject':
    case 'void':
    case 'writeOff':
    case 'confirmDuplicates':
      return eventsOf(command.events)
  }
}

/** "e-1 of pos-3", or how many. */
function eventsOf(events: readonly EventId[]): string {
  const [first] = events
  return events.length === 1 && first
    ? `${first.eventId} of ${first.source}`
    : `${count(events.length)} events`
}
