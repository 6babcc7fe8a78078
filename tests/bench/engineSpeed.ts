import { performance } from 'node:perf_hooks'
import type { Run } from './engineSubjects'
import { Totals } from './engineTotals'

export interface SpeedFigures {
  readonly events: number
  /** Of each pass, ns an event. */
  readonly cpu: readonly number[]
  readonly wall: readonly number[]
  /** ms; of the passes the least for each record, so that a neighbour on the machine is not taken for work. */
  readonly longestStep: number
  readonly counts: Run['counts']
  readonly totals: Record<string, string>
}

/** Folds all once to compare and to warm up, once more to warm up, then `passes` times with the clock running. */
export function measureSpeed(begin: () => Run, events: number, passes: number): SpeedFigures {
  const totals = new Totals()
  const compared = begin()
  fold(compared, totals)
  compared.end(totals)
  fold(begin(), null)
  const cpu: number[] = []
  const wall: number[] = []
  const steps = new Float64Array(compared.records).fill(Number.POSITIVE_INFINITY)
  for (let pass = 0; pass < passes; pass++) {
    const run = begin()
    gc?.()
    const used = process.cpuUsage()
    const from = performance.now()
    fold(run, null, steps)
    const { user, system } = process.cpuUsage(used)
    wall.push(((performance.now() - from) * 1e6) / events)
    cpu.push(((user + system) * 1e3) / events)
  }
  return { events, cpu, wall, longestStep: most(steps), counts: compared.counts, totals: totals.summary() }
}

function fold(run: Run, totals: Totals | null, steps?: Float64Array): void {
  for (let i = 0; i < run.records; i++) {
    run.ready(i)
    const from = performance.now()
    run.fold(i, totals)
    if (steps) steps[i] = Math.min(steps[i] ?? 0, performance.now() - from)
  }
}

export function most(numbers: Iterable<number>): number {
  let most = 0
  for (const n of numbers) if (n > most) most = n
  return most
}
