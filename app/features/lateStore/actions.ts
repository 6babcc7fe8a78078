import type { CommandOutcome } from '@/server/contracts/command'
import type { LateStatus } from '@/server/contracts/lateStore'

export type LateAction = 'putBack' | 'writeOff' | 'takeOut'

/** What a button says, and what its tooltip adds. */
export const ACTIONS: Readonly<
  Record<LateAction, { readonly label: string; readonly doing: string; readonly help: string }>
> = {
  putBack: {
    label: 'Put back',
    doing: 'Putting back…',
    help: 'Counts the order in the window that it missed. The figures of that time change, in the open and with your name.',
  },
  writeOff: {
    label: 'Write off',
    doing: 'Writing off…',
    help: 'The order stays out of all figures and waits no more. It can still be put back later.',
  },
  takeOut: {
    label: 'Take out',
    doing: 'Taking out…',
    help: 'Takes the order out of the figures again. It can be put back later.',
  },
}

const CAN: Readonly<Record<LateStatus, readonly LateAction[]>> = {
  unverified: [],
  waiting: ['putBack', 'writeOff'],
  reconciled: ['takeOut'],
  written_off: ['putBack'],
  duplicate: [],
  voided: ['putBack', 'writeOff'],
}

export function whatCanBeDone(status: LateStatus): readonly LateAction[] {
  return CAN[status]
}

export const LISTS = ['waiting', 'put back', 'written off', 'taken out', 'repeats'] as const
export type LateList = (typeof LISTS)[number]

const STATUSES: Readonly<Record<LateList, readonly LateStatus[]>> = {
  waiting: ['waiting', 'unverified'],
  'put back': ['reconciled'],
  'written off': ['written_off'],
  'taken out': ['voided'],
  repeats: ['duplicate'],
}

export function listOf(list: LateList): readonly LateStatus[] {
  return STATUSES[list]
}

/** What came of a command, for the person who gave it. */
export function whatCame({ refused, changes }: CommandOutcome): {
  readonly text: string
  readonly refused: boolean
} {
  if (refused !== null) return { text: `Nothing was changed: ${refused}.`, refused: true }
  return { text: `Done: ${changes.join('; ')}.`, refused: false }
}
