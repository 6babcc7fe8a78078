import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { most } from './engineSpeed'
import type { Run } from './engineSubjects'

export interface MemoryFigures {
  readonly liveIds: number
  /** Heap and what it holds outside, after a forced collection, less what stood before the first event. */
  readonly bytes: number
  readonly idBytes: number | null
  readonly distinctBytes: number | null
  /** Most bytes an id that the table took on the way, from a quarter of the ids on: tables grow in steps. */
  readonly mostIdBytes: number | null
  /** ms, while about `liveIds` are alive: of each pass the longest pause of any kind and of the full collections. */
  readonly pauses: readonly { longest: number; major: number; count: number; share: number }[]
  readonly longestStep: number
  readonly longestStepSeen: number
}

/** Ids are counted once in so many records: the straightforward version has to add up its sets. */
const LOOK_EVERY = 16

export async function measureMemory(
  begin: () => Run,
  liveIds: number,
  passes: number,
): Promise<MemoryFigures> {
  const pauses: MemoryFigures['pauses'][number][] = []
  let filled: Filled | null = null
  let least = new Float64Array()
  let seen = 0
  for (let pass = 0; pass < passes; pass++) {
    const before = await held()
    const run = begin()
    const here = await fill(run, liveIds, before)
    filled ??= here
    const steps = new Float64Array(run.records - here.next)
    pauses.push(await watchPauses(() => foldFrom(run, here.next, steps)))
    seen = Math.max(seen, most(steps))
    least = pass === 0 ? steps : least.map((ms, i) => Math.min(ms, steps[i] ?? ms))
  }
  if (!filled) throw new RangeError('at least one pass')
  const { next: _, ...figures } = filled
  return { ...figures, pauses, longestStep: most(least), longestStepSeen: seen }
}

interface Filled {
  readonly next: number
  readonly liveIds: number
  readonly bytes: number
  readonly idBytes: number | null
  readonly distinctBytes: number | null
  readonly mostIdBytes: number | null
}

/** Folds until `liveIds` are alive and weighs them. */
async function fill(run: Run, liveIds: number, before: number): Promise<Filled> {
  let mostIdBytes: number | null = null
  for (let i = 0; i < run.records; i++) {
    run.ready(i)
    run.fold(i, null)
    if (i % LOOK_EVERY !== 0) continue
    await setImmediate()
    const ids = run.liveIds
    if (run.idBytes !== null && ids > liveIds / 4) mostIdBytes = Math.max(mostIdBytes ?? 0, run.idBytes / ids)
    if (ids < liveIds) continue
    const { idBytes, distinctBytes } = run
    const bytes = (await held()) - before
    return { next: i + 1, liveIds: ids, bytes, idBytes, distinctBytes, mostIdBytes }
  }
  throw new RangeError(`only ${run.liveIds} ids are alive at the end`)
}

/** `external` includes array buffers. Twice: the buffers that the first collection freed are counted off after it. */
async function held(): Promise<number> {
  gc?.()
  await setImmediate()
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function foldFrom(run: Run, from: number, steps: Float64Array): Promise<void> {
  for (let i = from; i < run.records; i++) {
    run.ready(i)
    const begun = performance.now()
    run.fold(i, null)
    steps[i - from] = performance.now() - begun
    if (i % LOOK_EVERY === 0) await setImmediate()
  }
}

async function watchPauses(work: () => Promise<void>): Promise<MemoryFigures['pauses'][number]> {
  const entries: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const from = performance.now()
  await work()
  const took = performance.now() - from
  await setImmediate()
  observer.disconnect()
  const during = entries.filter((entry) => entry.startTime >= from)
  const full = during.filter((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR)
  const ms = (list: PerformanceEntry[]) => list.map((entry) => entry.duration)
  const total = ms(during).reduce((a, b) => a + b, 0)
  return { longest: most(ms(during)), major: most(ms(full)), count: during.length, share: total / took }
}

function kindOf(entry: PerformanceEntry): unknown {
  const { detail } = entry as PerformanceEntry & { detail?: { kind?: unknown } }
  return detail?.kind
}
