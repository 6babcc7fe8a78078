import type { Strategy } from '@/server/contracts/strategy'
import { idleTimeoutOf } from './clocking'
import { codingOf } from './coding'
import { dialectOf } from './dialect'
import { Drive, type Seen } from './drive'
import { pipelineOf } from './pipeline'
import { Player, sourceName } from './player'
import type { Loose, Vector } from './schema'
import { partitionsOf, type Step, textOf } from './steps'
import { declared, firstTime } from './windowRun'

/** Plays a vector for its clocks alone, under this strategy. */
export function playClocks(vector: Vector, steps: readonly Step[], strategy: Strategy): readonly Seen[] {
  const { config } = vector
  const partitions = allPartitions(config, partitionsOf(steps))
  const sources = config.partitions === 'registered' ? [] : declared(steps, partitions)
  const spec = pipelineOf({
    window: { kind: 'tumbling', size: 1_000 },
    strategy,
    idleTimeout: idleTimeoutOf(config),
    sources,
  })
  const player = new Player(
    {
      drive: new Drive(spec, firstTime(steps)),
      dialect: dialectOf(vector.dialect),
      coding: codingOf('count', []),
      strategy,
      probes: steps.some(({ kind }) => kind === 'periodicEmit'),
      deferred: /deferred|periodic/i.test(String(config.mode ?? '')),
    },
    partitions.filter((partition) => sources.includes(sourceName(partition))),
  )
  return player.play(steps)
}

const PARTITIONS = /^(num)?_?(partitions|channels|inputs|inputChannels|upstreams|sources)$/i

/** Partitions that steps name, that the config lists, and as many more as it counts: silent ones hold back. */
function allPartitions(config: Loose, named: readonly string[]): readonly string[] {
  const told = Object.entries(config).find(([name]) => PARTITIONS.test(name))?.[1]
  if (Array.isArray(told)) return [...new Set([...told.map(textOf), ...named])]
  if (typeof told !== 'number') return named
  const counted = Array.from({ length: told }, (_, i) => String(i)).filter((name) => !named.includes(name))
  return [...named, ...counted].slice(0, Math.max(told, named.length))
}
