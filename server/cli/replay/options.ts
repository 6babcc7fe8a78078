import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../../contracts/duration'
import { PipelineSpec } from '../../contracts/pipelineSpec'
import { CommandProblem } from '../problem'

export interface ReplayOptions {
  readonly window: number
  readonly offset: number
  readonly bound: number
  readonly lateness: number
  readonly idle?: number
  readonly key: readonly string[]
  readonly perEvent: boolean
  readonly batch: number
  readonly out?: string
  readonly skipBad: boolean
}

/** Parser of a command-line duration, in ms. */
export function duration(text: string): number {
  const value = /^-?0$/.test(text) ? 0 : parseDuration(text)
  if (value === null) throw new InvalidArgumentError('Write a number with its unit: 250ms, 5s, 10m, 1h, 2d.')
  return value
}

export function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Write a whole number from 1.')
  return value
}

export function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}

/** The only view of a replay. */
export const VIEW = 'replay'

/** The pipeline that the options describe: one tumbling view. Throws CommandProblem that names the option. */
export function toSpec(options: ReplayOptions, allowedLateness: number): PipelineSpec {
  const parsed = PipelineSpec.safeParse({
    strategy: { kind: 'bounded', bound: options.bound },
    idleTimeout: options.idle ?? null,
    allowedLateness,
    coalesce: options.perEvent ? 'event' : 'record',
    views: [
      {
        id: VIEW,
        window: { kind: 'tumbling', size: options.window, offset: options.offset },
        groupBy: [...options.key],
        maxKeys: 1_000_000,
      },
    ],
  })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new CommandProblem(`${issue?.path.join('.')}: ${issue?.message}`)
}
