import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { ClockCommand, type Command } from '../../../server/contracts/command'
import { SourceSpec } from '../../../server/contracts/sourceSpec'
import { closeDue, followSources, moveTo } from './advance'
import { changeSpec } from './changeSpec'
import { readopt, settle } from './settings'
import type { State } from './state'

type Given<K extends ClockCommand['kind']> = Extract<ClockCommand, { kind: K }>

/** Does what an operator says, or refuses and changes nothing; time has passed to it already (decision 11). */
export function obey(state: State, input: z.input<typeof Command>): void {
  const command = ClockCommand.parse(input)
  const done = carryOut(state, command)
  state.told.refused = !done
  state.reached.add(`${command.kind} ${done ? 'done' : 'refused'}`)
  if (done) closeDue(state)
}

function carryOut(state: State, command: ClockCommand): boolean {
  switch (command.kind) {
    case 'setStrategy':
      return setStrategy(state, command)
    case 'declareSource':
      return declareSource(state, command.source)
    case 'retireSource':
      return retireSource(state, command.source)
    case 'forceWatermark':
      if (command.to > state.at || command.to <= state.W) return false
      moveTo(state, command.to)
      return true
    case 'markIdle':
      return markIdle(state, command.source)
    case 'markActive':
      return markActive(state, command.source)
    case 'changeSpec':
      return changeSpec(state, command.spec)
    case 'cancelChange':
    case 'switchSpec':
      // Random programs give none: what is filled is compared with a fold from the start.
      return false
  }
}

function setStrategy(state: State, { source: name, strategy, idleTimeout }: Given<'setStrategy'>): boolean {
  const given = { ...(strategy && { strategy }), ...(idleTimeout !== undefined && { idleTimeout }) }
  if (name === null) {
    if (isDeepStrictEqual({ ...state.spec, ...given }, state.spec)) return false
    Object.assign(state.spec, given)
  } else {
    const source = state.sources.get(name)
    const settings = state.spec.sources.find((s) => s.name === name) ?? SourceSpec.parse({ name })
    if (!source || isDeepStrictEqual({ ...settings, ...given }, settings)) return false
    if (!declare(state, { ...settings, ...given })) return false
    source.own = { ...source.own, ...given }
  }
  state.spec.version++
  readopt(state)
  return true
}

function declareSource(state: State, source: SourceSpec): boolean {
  if (!state.sources.has(source.name) && state.sources.size >= state.spec.maxSources) return false
  const declared = state.spec.sources.find((s) => s.name === source.name)
  if (isDeepStrictEqual(declared, source) || !declare(state, source)) return false
  state.spec.version++
  readopt(state, settle(state, source))
  return true
}

/** Writes a source's settings into the definition in force; not where that would have too many (pipelineSpec). */
function declare(state: State, source: SourceSpec): boolean {
  const { sources, maxSources } = state.spec
  if (sources.some((s) => s.name === source.name)) {
    state.spec.sources = sources.map((s) => (s.name === source.name ? source : s))
    return true
  }
  if (sources.length >= maxSources) return false
  state.spec.sources = [...sources, source]
  return true
}

function retireSource(state: State, name: string): boolean {
  if (!state.sources.delete(name)) return false
  const left = state.spec.sources.filter((s) => s.name !== name)
  if (left.length < state.spec.sources.length) state.spec.version++
  state.spec.sources = left
  return true
}

function markIdle(state: State, name: string): boolean {
  const source = state.sources.get(name)
  if (!source || source.own.test || source.idle) return false
  source.idle = true
  followSources(state)
  return true
}

function markActive(state: State, name: string): boolean {
  const source = state.sources.get(name)
  if (!source?.idle || source.own.test) return false
  source.idle = false
  source.timer = state.at
  return true
}
