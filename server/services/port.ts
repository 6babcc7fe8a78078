import type { Overview } from '../contracts/overview'
import type { Rejected } from '../contracts/quarantine'
import type { PipelineStatus } from '../contracts/status'
import type { LateEvent, Revision, WindowRow } from '../contracts/windowRow'

/** Rows of one view as of one committed position. */
export interface WindowsPage {
  readonly view: string
  readonly pos: number
  readonly watermark: number | null
  readonly windows: readonly WindowRow[]
}

export interface WindowsInput {
  readonly view: string
  /** Windows with `from <= start < to`, ms. */
  readonly from: number
  readonly to: number
  /** Only rows whose dimension has this value. */
  readonly filter?: Readonly<Record<string, string>>
  /** Only rows written at or after this position. */
  readonly since?: number
}

export interface QuarantinedRow extends Rejected {
  readonly receivedAt: number
  readonly position: number
}

/** What a person may ask. Each method is one file in this folder; routers and sockets only pass on. */
export interface ReadServices {
  overview(): Promise<Overview>
  windows(input: WindowsInput): Promise<WindowsPage>
  /** Corrections of the total view, newest first. */
  corrections(input: { readonly limit: number }): Promise<readonly Revision[]>
  /** Late store, newest first, and how many wait in all. */
  late(input: {
    readonly limit: number
  }): Promise<{ readonly total: number; readonly rows: readonly LateEvent[] }>
  quarantine(input: {
    readonly limit: number
  }): Promise<{ readonly total: number; readonly rows: readonly QuarantinedRow[] }>
  status(): PipelineStatus
}
