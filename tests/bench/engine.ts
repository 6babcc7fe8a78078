/**
 * The engine by itself: events per second of CPU on prepared batches, memory per live id, pauses; beside it the
 * straightforward version, which must publish the same revisions. Run: npx tsx tests/bench/engine.ts [passes].
 * The machine is noisy: compare within one run (limits.md). Missed targets are shown and fail nothing.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SPEED, TARGETS } from './engineCases'
import type { MemoryFigures } from './engineMemory'
import type { SpeedFigures } from './engineSpeed'
import { memoryTable, speedTable } from './engineTables'

const CASE = new URL('./engineCase.ts', import.meta.url).pathname
const FLAGS = ['--import', 'tsx', '--expose-gc', '--max-old-space-size=8192', CASE]
const passes = Number(process.argv[2] ?? 5)
const run = promisify(execFile)

async function figures<T>(...args: (string | number)[]): Promise<T> {
  const { stdout } = await run(process.execPath, [...FLAGS, ...args.map(String)], { maxBuffer: 1 << 26 })
  return JSON.parse(stdout) as T
}

/** Throws when they did not publish the same: then the figures mean nothing. */
function sameTotals(title: string, a: SpeedFigures, b: SpeedFigures): void {
  for (const key of Object.keys(b.counts) as (keyof typeof b.counts)[]) {
    if (a.counts[key] !== b.counts[key])
      throw new Error(`${title}: ${key} ${a.counts[key]} against ${b.counts[key]}`)
  }
  for (const window of new Set([...Object.keys(a.totals), ...Object.keys(b.totals)])) {
    if (a.totals[window] !== b.totals[window]) throw new Error(`${title}: revisions of ${window} differ`)
  }
}

for (const [name, { title, target }] of Object.entries(SPEED)) {
  const plain = await figures<SpeedFigures>('speed', name, 'straightforward', Math.min(3, passes))
  const built = await figures<SpeedFigures>('speed', name, 'engine', passes)
  sameTotals(title, built, plain)
  const inWords = await figures<SpeedFigures>('speed', name, 'inWords', passes)
  sameTotals(title, inWords, plain)
  const lines = [
    { name: 'engine', figures: built },
    { name: 'engine, and revisions in words', figures: inWords },
  ]
  if (name === 'shops') {
    const decoded = await figures<SpeedFigures>('speed', name, 'decoded', passes)
    sameTotals(title, decoded, plain)
    lines.push({ name: 'engine, batches from the journal', figures: decoded })
    const own = await figures<SpeedFigures>('speed', name, 'engine', passes, 'own')
    lines.push({ name: 'engine, one source a record', figures: own })
  }
  lines.push({ name: 'straightforward', figures: plain })
  console.log(speedTable(title, target, lines))
}
console.log(
  memoryTable(TARGETS, [
    { name: 'engine', size: 500, figures: await figures<MemoryFigures>('memory', 500, 'streamed', 3) },
    { name: 'engine', size: 5_000, figures: await figures<MemoryFigures>('memory', 5_000, 'streamed', 3) },
    {
      name: 'straightforward',
      size: 500,
      figures: await figures<MemoryFigures>('memory', 500, 'straightforwardStreamed', 1),
    },
  ]),
)
