import { z } from 'zod'
import { PositiveDuration } from './duration'
import { LATE_COMMANDS } from './lateStore'
import { SOURCE_NAME } from './limits'
import { PipelineSpec } from './pipelineSpec'
import { SourceSpec } from './sourceSpec'
import { Strategy } from './strategy'

const source = z.string().regex(SOURCE_NAME)

const CLOCK_COMMANDS = [
  /** Strategy and idle timeout of a source, or (source null) of all that have none of their own. */
  z.object({
    kind: z.literal('setStrategy'),
    source: source.nullable(),
    strategy: Strategy.optional(),
    idleTimeout: PositiveDuration.nullable().optional(),
  }),
  /** A source that counts from now on, or new settings for one that does. */
  z.object({ kind: z.literal('declareSource'), source: SourceSpec }),
  /** It counts no more; if it speaks again it is an undeclared one. W follows with the next record. */
  z.object({ kind: z.literal('retireSource'), source }),
  /** W becomes `to`, at most journal time. Windows up to there fire and close; what comes for them is late. */
  z.object({ kind: z.literal('forceWatermark'), to: z.number().int().safe() }),
  z.object({ kind: z.literal('markIdle'), source }),
  z.object({ kind: z.literal('markActive'), source }),
  /**
   * A new definition. What changes windows, dimensions or views begins a back-fill from the journal, and holds from the
   * `switchSpec` on that the engine's driver gives when that is done (semantics.md §7).
   */
  z.object({ kind: z.literal('changeSpec'), spec: PipelineSpec }),
  /** The back-fill that is under way is given up; the definition stays. */
  z.object({ kind: z.literal('cancelChange') }),
  /** The back-fill of the change at this position is done: its views take the place of those before. */
  z.object({ kind: z.literal('switchSpec'), change: z.number().int().positive().safe() }),
] as const

/** Commands that the engine's driver gives itself; a person may not. */
export const OWN_COMMANDS: readonly string[] = ['switchSpec', 'confirmDuplicates']

/** What an operator may tell the engine about sources, watermark and definition (semantics.md §2, §3, §7). */
export const ClockCommand = z.discriminatedUnion('kind', CLOCK_COMMANDS)
export type ClockCommand = z.infer<typeof ClockCommand>

/** What the late store tells it; services give these, with the events looked up (semantics.md §6). */
export const LateCommand = z.discriminatedUnion('kind', LATE_COMMANDS)
export type LateCommand = z.infer<typeof LateCommand>

/** A command is a record of the journal like any other. */
export const Command = z.discriminatedUnion('kind', [...CLOCK_COMMANDS, ...LATE_COMMANDS])
export type Command = z.infer<typeof Command>
export type CommandKind = Command['kind']

export function isLateCommand(command: Command): command is LateCommand {
  return LATE_COMMANDS.some(({ shape }) => shape.kind.value === command.kind)
}

/** Who gave a command, and why. */
export const Order = z.object({
  by: z.string().min(1).max(128),
  reason: z.string().max(500).default(''),
})
export type Order = z.infer<typeof Order>

/** What a command did. Refused ones changed nothing; they stand in the journal all the same. */
export interface CommandOutcome {
  readonly kind: CommandKind
  /** null: done. Otherwise why not, in words. */
  readonly refused: string | null
  /** What changed, in words for the audit, such as "watermark 12:00:00.000 → 12:05:00.000". */
  readonly changes: readonly string[]
  readonly watermarkBefore: number | null
  readonly watermarkAfter: number | null
}
