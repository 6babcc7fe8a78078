import type { ClockCommand, Command, CommandOutcome } from '../contracts/command'
import { finiteOrNull } from '../contracts/instant'
import { PipelineSpec } from '../contracts/pipelineSpec'
import { SourceSpec } from '../contracts/sourceSpec'
import { specChange } from '../contracts/specChange'
import { beginChange } from './backfill/beginChange'
import type { SourceClock } from './clock/sourceClock'
import { type Done, inWords } from './done'
import type { Emitter } from './emitter'
import { advance, reschedule } from './passTime'
import { countsOf, type EngineState, type PipelineState, settingsByName } from './state'

/**
 * Applies an operator's command at journal time `at`, after time has passed to there. A refused one changes nothing.
 * What follows at once: the watermark, and the windows that it fires and closes (semantics.md §2, §3, §7).
 */
export function foldCommand(
  state: EngineState,
  pipeline: PipelineState,
  command: ClockCommand,
  at: number,
  emit: Emitter,
): CommandOutcome {
  const before = state.clock.watermark
  const done = new CommandFold(state, pipeline, at, emit).apply(command)
  return outcomeOf(state, command, done, before)
}

/** What came of a command, in the words of the audit. `before`: the watermark before it. */
export function outcomeOf(
  state: EngineState,
  command: Command,
  done: Done,
  before = state.clock.watermark,
): CommandOutcome {
  return {
    kind: command.kind,
    refused: 'refused' in done ? done.refused : null,
    changes: 'refused' in done ? [] : done.changes,
    watermarkBefore: finiteOrNull(before),
    watermarkAfter: finiteOrNull(state.clock.watermark),
  }
}

class CommandFold {
  readonly #state: EngineState
  readonly #pipeline: PipelineState
  readonly #at: number
  readonly #emit: Emitter

  constructor(state: EngineState, pipeline: PipelineState, at: number, emit: Emitter) {
    this.#state = state
    this.#pipeline = pipeline
    this.#at = at
    this.#emit = emit
  }

  apply(command: ClockCommand): Done {
    switch (command.kind) {
      case 'setStrategy':
        return this.#setStrategy(command)
      case 'declareSource':
        return this.#declare(command.source)
      case 'retireSource':
        return this.#retire(command.source)
      case 'forceWatermark':
        return this.#force(command.to)
      case 'markIdle':
        return this.#setIdle(command.source, true)
      case 'markActive':
        return this.#setIdle(command.source, false)
      case 'changeSpec':
        return this.#become(command.spec)
      case 'cancelChange':
        return this.#cancel()
      case 'switchSpec':
        return { refused: 'it is given with the views that were filled' }
    }
  }

  #setStrategy(command: Extract<ClockCommand, { kind: 'setStrategy' }>): Done {
    const { source, strategy, idleTimeout } = command
    const { spec } = this.#pipeline
    const settings = {
      ...(strategy !== undefined && { strategy }),
      ...(idleTimeout !== undefined && { idleTimeout }),
    }
    if (source === null) return this.#become({ ...spec, ...settings })
    const own = spec.sources.find((s) => s.name === source)
    if (own) return this.#declare({ ...own, ...settings })
    if (!this.#state.clock.sources.has(source)) return { refused: `there is no source ${source}` }
    // With settings of its own it is a declared one.
    return this.#declare({ ...SourceSpec.parse({ name: source }), ...settings })
  }

  #declare(source: SourceSpec): Done {
    const { spec } = this.#pipeline
    const known = spec.sources.some((s) => s.name === source.name)
    const { sources: clocks } = this.#state.clock
    if (!clocks.has(source.name) && clocks.size >= spec.maxSources) {
      return {
        refused: `there are ${clocks.size} sources, as many as maxSources allows: retire some, or raise it`,
      }
    }
    const sources = known
      ? spec.sources.map((s) => (s.name === source.name ? source : s))
      : [...spec.sources, source]
    return this.#become({ ...spec, sources })
  }

  #retire(name: string): Done {
    const { clock } = this.#state
    const { spec } = this.#pipeline
    if (!clock.sources.has(name)) return { refused: `there is no source ${name}` }
    const done = this.#become({ ...spec, sources: spec.sources.filter((s) => s.name !== name) })
    if (!clock.sources.has(name)) return done
    // It was never declared, so no definition names it.
    clock.retire(name)
    return { changes: [`source ${name} retired`] }
  }

  #force(to: number): Done {
    const { clock } = this.#state
    if (to > this.#at) return { refused: 'the watermark cannot be forced past the present' }
    if (to <= clock.watermark) return { refused: 'the watermark is there already; it never goes back' }
    clock.watermark = to
    this.#advance()
    return { changes: ['watermark forced forward'] }
  }

  #setIdle(name: string, idle: boolean): Done {
    const { clock } = this.#state
    const source = clock.sources.get(name)
    if (!source) return { refused: `there is no source ${name}` }
    if (source.test) return { refused: `${name} is a test source: it is no part of the watermark` }
    if (source.idle === idle) return { refused: `${name} is ${idle ? 'idle' : 'active'} already` }
    clock.setIdle(source, idle, this.#at)
    this.#publish()
    return { changes: [`source ${name} marked ${idle ? 'idle' : 'active'}`] }
  }

  #cancel(): Done {
    const { pending } = this.#pipeline
    if (!pending) return { refused: 'no change is under way' }
    this.#pipeline.pending = null
    return { changes: [`the change of position ${pending.position} was given up; the definition stays`] }
  }

  /** Puts a new definition in force, if it is one that can be at once. */
  #become(wanted: PipelineSpec): Done {
    const { spec, horizon, views } = this.#pipeline
    const { immediate, needsBackfill } = specChange(spec, wanted)
    if (needsBackfill.length > 0) return beginChange(this.#pipeline, wanted, this.#emit.position)
    if (immediate.length === 0) return { refused: 'nothing would change' }
    const checked = PipelineSpec.safeParse({ ...wanted, version: spec.version + 1 })
    if (!checked.success) return { refused: inWords(checked.error) }
    const next = checked.data
    this.#pipeline.spec = next
    for (const view of views) view.spec = next.views.find((v) => v.id === view.spec.id) ?? view.spec
    this.#configureSources(spec, next)
    if (next.allowedLateness !== spec.allowedLateness) {
      horizon.setLateness(next.allowedLateness, this.#state.clock.watermark)
      reschedule(this.#state, this.#pipeline, this.#at, this.#emit)
    }
    this.#publish()
    return { changes: immediate }
  }

  #configureSources(from: PipelineSpec, to: PipelineSpec): void {
    const { clock } = this.#state
    for (const { name } of from.sources) {
      if (!to.sources.some((s) => s.name === name)) clock.retire(name)
    }
    for (const { name } of to.sources) {
      const known = clock.sources.get(name)
      if (known) known.declared = true
      else clock.add(name, true, settingsByName(to, name), this.#at)
      countsOf(this.#state, name)
    }
    for (const source of clock.sources.values()) this.#configure(source, to)
    clock.reconsider()
  }

  #configure(source: SourceClock, to: PipelineSpec): void {
    const settings = settingsByName(to, source.name)
    // As with one that is retired: the watermark follows when time next passes.
    if (settings.test && !source.test) this.#state.clock.stale = true
    source.configure(settings, this.#at)
  }

  #publish(): void {
    // A set of sources that changed waits for time to pass; everything else holds at once.
    if (!this.#state.clock.stale && this.#state.clock.publish()) this.#advance()
  }

  #advance(): void {
    advance(this.#state, this.#pipeline, this.#at, this.#emit)
  }
}
