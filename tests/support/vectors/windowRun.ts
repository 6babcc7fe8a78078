import type { Revision } from '@/server/contracts/windowRow'
import { type Clocking, clockingOf, idleTimeoutOf } from './clocking'
import { type Coding, codingOf } from './coding'
import { type Dialect, dialectOf } from './dialect'
import { Drive, type Seen } from './drive'
import { msOf } from './instants'
import { NotOurs } from './notOurs'
import { ONLY, pipelineOf } from './pipeline'
import { Player, sourceName } from './player'
import type { Loose, Vector } from './schema'
import { type Element, elementsOf, flat, partitionsOf, readSteps, type Step } from './steps'
import { needOneGap, type WindowInput, windowOf } from './windows'

/** A vector about windows on its way through the engine: once, or once a key where keys have their own clocks. */
export interface WindowRun {
  readonly dialect: Dialect
  readonly steps: readonly Step[]
  readonly elements: readonly Element[]
  readonly window: WindowInput
  readonly coding: Coding
  readonly lanes: readonly Lane[]
}

export interface Lane {
  readonly seen: readonly Seen[]
  /** By step: the revisions that there would be if the stream ended behind it; empty unless asked for. */
  readonly ifEnded: readonly (readonly Revision[])[]
}

export interface Wanted {
  /** Instead of the window of the config. */
  readonly window?: WindowInput
  readonly aggregate?: unknown
  readonly ifEnded?: boolean
  /** Time stands still but for watermark steps. */
  readonly still?: boolean
}

export function runWindows(vector: Vector, wanted: Wanted = {}): WindowRun {
  const dialect = dialectOf(vector.dialect)
  const steps = readSteps(vector)
  if (!isProcessingTime(vector.config)) needStillTime(vector, steps)
  const elements = elementsOf(steps)
  needOneGap(vector.config.window, elements)
  const window = wanted.window ?? windowOf(vector.config.window)
  const coding = codingOf(wanted.aggregate ?? vector.config.aggregate ?? 'sum', elements)
  const run = { dialect, steps, elements, window, coding }
  const lanes = keysApart(vector, dialect, elements).map((key) =>
    runLane(vector, run, key === undefined ? steps : stepsOf(steps, key), wanted),
  )
  return { ...run, lanes }
}

/** The keys that have a clock each; [undefined]: one clock for all. */
function keysApart({ config }: Vector, dialect: Dialect, elements: readonly Element[]) {
  const keys = new Set(elements.map(({ key }) => key))
  const together = config.closingStrategy === 'partition' || !dialect.byKey || keys.size < 2
  return together ? [undefined] : [...keys]
}

/** The steps as the pipeline of one key sees them; other keys' elements leave an empty step. */
function stepsOf(steps: readonly Step[], key: string | null): readonly Step[] {
  return steps.map((step): Step => {
    if (step.kind === 'batch') return { ...step, steps: stepsOf(step.steps, key) }
    return step.kind === 'element' && step.element.key !== key ? { kind: 'batch', steps: [] } : step
  })
}

function runLane(
  vector: Vector,
  { dialect, window, coding }: Omit<WindowRun, 'lanes'>,
  steps: readonly Step[],
  wanted: Wanted,
): Lane {
  const { config } = vector
  const byProcessing = isProcessingTime(config)
  // Sessions of ours go by event time: stamped on arrival, that is processing time.
  const stamped = byProcessing && window.kind === 'session'
  const byJournal = byProcessing && !stamped
  const partitions = partitionsOf(steps)
  const clocking: Clocking =
    byProcessing || wanted.still
      ? { strategy: { kind: 'punctuated' }, batchBound: null }
      : clockingOf(vector, steps, dialect)
  const spec = pipelineOf({
    window,
    lateness: byProcessing ? 0 : (msOf(config, 'allowedLatenessMs', 'graceMs') ?? 0),
    strategy: clocking.strategy,
    idleTimeout: idleTimeoutOf(config),
    sources: declared(steps, partitions),
    byJournal,
  })
  const drive = new Drive(spec, firstTime(steps))
  const ifEnded: (readonly Revision[])[] = []
  const afterStep = () => wanted.ifEnded && ifEnded.push(drive.revisionsIfEnded())
  const player = new Player(
    { drive, dialect, coding, ...clocking, stamped, byJournal, afterStep },
    partitions,
  )
  return { seen: player.play(steps), ifEnded }
}

/** Throws NotOurs where the watermark moves on with the wall clock. */
export function needStillTime({ dialect }: Vector, steps: readonly Step[]): void {
  const first = steps.findIndex(({ kind }) => kind === 'element' || kind === 'batch')
  if (dialect !== 'bytewax' || !steps.slice(first + 1).some(({ kind }) => kind === 'processingTime')) return
  throw new NotOurs('a watermark that moves on with the wall clock: ours moves with events and marks only')
}

/** Sources that count from the beginning: all that are not registered by a step of their own. */
export function declared(steps: readonly Step[], partitions: readonly string[]): readonly string[] {
  if (partitions.length === 0) return [ONLY]
  const registered = flat(steps).flatMap((s) => (s.kind === 'register' ? [s.partition] : []))
  return partitions.filter((partition) => !registered.includes(partition)).map(sourceName)
}

/** Journal time at which the pipeline begins. */
export function firstTime(steps: readonly Step[]): number {
  const [first] = steps
  return first?.kind === 'processingTime' ? first.to : 0
}

export function isProcessingTime({ trigger }: Loose): boolean {
  return /processing/i.test(String(trigger ?? ''))
}

/** Our windows fire when the watermark is there, and with each correction. Throws NotOurs for other triggers. */
export function needOurTrigger({ trigger }: Loose): void {
  const text = typeof trigger === 'string' ? trigger : JSON.stringify(trigger ?? 'eventTime')
  const others =
    /early|continuous|delta|never/i.test(text) || (/count|pane/i.test(text) && !/late/i.test(text))
  if (!others) return
  throw new NotOurs(`the trigger ${text}: ours fire at the window's end and with each correction, not before`)
}
