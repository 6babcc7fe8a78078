import type { AdaptiveStrategy } from '../../../server/contracts/strategy'
import { MIN, type Source, type State } from './state'

const DAY = 86_400_000

/** Where a source's events alone would put its watermark (semantics.md §2). */
function rule(source: Source): number {
  const bound = boundOf(source)
  return bound === null ? MIN : source.maxTs - bound - 1
}

/** Out-of-orderness bound in force; null where only marks move the watermark. */
export function boundOf({ strategy, learned }: Source): number | null {
  switch (strategy.kind) {
    case 'bounded':
      return strategy.bound
    case 'ascending':
      return 0
    case 'punctuated':
      return null
    case 'adaptive':
      return learned
  }
}

/** Takes an accepted event that is no duplicate into its source's clock. */
export function observe(source: Source, ts: number): void {
  source.maxTs = Math.max(source.maxTs, ts)
  source.W = Math.max(source.W, rule(source))
}

export function startLearning(source: Source, at: number): void {
  if (source.strategy.kind !== 'adaptive') return
  source.learned = source.strategy.initial
  source.delays = []
  source.period = Math.floor(at / source.strategy.every)
}

/** Brings the strategy that the definition in force gives a source into force. True where it is another. */
export function adopt(state: State, source: Source): boolean {
  const strategy = source.own.strategy ?? state.spec.strategy
  if (JSON.stringify(strategy) === JSON.stringify(source.strategy)) return false
  source.strategy = strategy
  startLearning(source, state.at)
  source.W = Math.max(source.W, rule(source))
  state.reached.add(`strategy ${strategy.kind}`)
  return true
}

/** Before an accepted event that is no duplicate: a step where one is due, and then its delay (decision 3). */
export function learn(source: Source, ts: number, at: number, reached: Set<string>): void {
  const { strategy } = source
  if (strategy.kind !== 'adaptive') return
  const period = Math.floor(at / strategy.every)
  if (period > source.period) {
    source.period = period
    const before = source.learned
    stepBound(source, strategy)
    if (source.learned > before) reached.add('bound rose')
    if (source.learned < before) reached.add('bound fell')
  }
  source.delays.push(Math.max(0, at - ts))
}

function stepBound(source: Source, strategy: AdaptiveStrategy): void {
  const known = source.delays.slice(-strategy.sample).sort((a, b) => a - b)
  if (known.length < strategy.atLeast) return
  const rank = Math.ceil((strategy.percentile / 100) * known.length) - 1
  const target = Math.ceil(strategy.factor * (known[rank] ?? 0))
  const clamped = Math.min(Math.max(target, strategy.least), strategy.most)
  const fallen = source.learned - Math.floor((source.learned * strategy.fall) / 100)
  source.learned = clamped > source.learned ? clamped : Math.max(clamped, fallen)
}

/** The stale notice of semantics.md §2: duplicates count too. */
export function watchStale(state: State, source: Source, ts: number): void {
  source.stale.push(ts < source.maxTs - DAY)
  const last = source.stale.slice(-200)
  const resends = last.length === 200 && last.filter(Boolean).length > 100
  if (resends === source.resendsHistory) return
  source.resendsHistory = resends
  const kind = resends ? 'resends_history' : 'resends_history_over'
  state.told.notices.push(`${kind} ${source.name}`)
  state.reached.add(kind)
}
