import type { CommandDone } from '../contracts/flush'
import type { LateFilter, LatePage } from '../contracts/lateRow'
import type { EventId } from '../contracts/lateStore'
import type { Notice } from '../contracts/notice'
import type { Overview } from '../contracts/overview'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { Rejected } from '../contracts/quarantine'
import type { PipelineStatus } from '../contracts/status'
import type { Revision, WindowRow } from '../contracts/windowRow'
import type { GiveCommandInput } from './giveCommand'
import type { Asking, Selection } from './late/deps'

/** Rows of one view as of one committed position. */
export interface WindowsPage {
  readonly view: string
  readonly pos: number
  readonly watermark: number | null
  readonly windows: readonly WindowRow[]
}

export interface WindowsRange {
  readonly view: string
  /** Windows with `from <= start < to`, ms. */
  readonly from: number
  readonly to: number
  /** Only rows whose dimension has this value. */
  readonly filter?: Readonly<Record<string, string>>
}

export interface WindowsInput extends WindowsRange {
  /** Only rows written at or after this position. */
  readonly since?: number
  /** Rows whose session was merged into another, too: who holds such a row must hear that it is gone. */
  readonly superseded?: boolean
}

/** Distinct orders and buyers of all windows that start in a range. */
export interface Distinct {
  readonly view: string
  /** null: not available, since a window is open or a row has no sketch. */
  readonly orders: number | null
  readonly buyers: number | null
  /** Estimated from sketches; false: exact. */
  readonly approximate: boolean
  /** One standard deviation, relative (0.023 is 2.3 %); 0 where exact, null where not available. */
  readonly error: number | null
  readonly windows: number
  /** Windows among them that have not fired. */
  readonly open: number
}

export interface QuarantinedRow extends Rejected {
  readonly receivedAt: number
  readonly position: number
}

/** What a person may ask. Each method is one file in this folder; routers and sockets only pass on. */
export interface ReadServices {
  overview(): Promise<Overview>
  windows(input: WindowsInput): Promise<WindowsPage>
  distinct(input: WindowsRange): Promise<Distinct>
  /** Corrections of the total view, newest first. */
  corrections(input: { readonly limit: number }): Promise<readonly Revision[]>
  /** Late store, newest first. */
  lateList(input: LateFilter): Promise<LatePage>
  quarantine(input: {
    readonly limit: number
  }): Promise<{ readonly total: number; readonly rows: readonly QuarantinedRow[] }>
  notices(input: { readonly limit: number }): Promise<readonly Notice[]>
  commands(input: { readonly limit: number }): Promise<readonly CommandDone[]>
  status(): PipelineStatus
  /** The definition in force. */
  spec(): PipelineSpec
}

/** What an operator may do. */
export interface OperatorServices {
  giveCommand(input: GiveCommandInput): Promise<CommandDone>
  reinject(input: Asking & { readonly events: readonly EventId[] }): Promise<CommandDone>
  writeOff(input: Asking & { readonly events: readonly EventId[] }): Promise<CommandDone>
  voidEvents(input: Asking & { readonly selection: Selection }): Promise<CommandDone>
}
