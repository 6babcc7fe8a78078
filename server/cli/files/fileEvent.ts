import type { FileProblem } from '../problem'

/** One event of a file: where it stood, and its value as a producer would send it. */
export interface FileEvent {
  readonly line: number
  readonly source: string
  /** epoch ms; null when the file has none */
  readonly receivedAt: number | null
  readonly value: Readonly<Record<string, unknown>>
}

export interface ReadOptions {
  /** Columns that a file must have beside those of an event. */
  readonly required: readonly string[]
  /** Columns that become dimensions; null: all that are no field of an event. */
  readonly dimensions: readonly string[] | null
  /** Called for a line that is not an event at all; throws to stop. */
  readonly onBadLine: (problem: FileProblem) => void
}
