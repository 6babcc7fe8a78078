import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { EQUIVALENT, type Equivalent } from './equivalent'
import { applied, type Mutant, mutantsOf } from './mutants'

/*
 * npm run mutants [-- FILTER... --quick]: puts each fault into a copy of the tree and runs the engine's tests over it.
 * A fault that no test sees is reported, unless it stands in equivalent.ts with the reason why nothing can be seen of
 * it. With --quick the last and longest tests are left out, and what the others let pass is called a survivor.
 */
const root = join(import.meta.dirname, '../../..')
const TREE = ['server', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'app', 'biome.json']
/** Where time is decided: the clocks, the windows, and what fires, closes and is late. */
const FOLDERS = ['server/engine/clock', 'server/engine/windows']
const FILES = ['server/engine/passTime.ts', 'server/engine/foldEvents.ts', 'server/engine/foldCommand.ts']
/**
 * The quick ones first: most faults fall to the unit tests in seconds, most others to a few random programs. Only
 * what both let pass is shown to every property at its full number of runs.
 */
const STAGES: readonly Stage[] = [
  { tests: ['tests/unit/engine', 'tests/unit/fieldCases'], atMostMs: 60_000 },
  { tests: ['slowModel.test', 'lateness', 'idle', 'watermark', 'sessions'], runs: 8, atMostMs: 180_000 },
  { tests: ['tests/property/engine'], atMostMs: 900_000 },
]

interface Stage {
  readonly tests: readonly string[]
  /** How many random programs each property is shown; without it, as many as in the tests. */
  readonly runs?: number
  /** A fault may make a loop endless: then the tests do not end, which is as good as their failing. */
  readonly atMostMs: number
}

const words = process.argv.slice(2)
const filters = words.filter((word) => !word.startsWith('-'))
const stages = words.includes('--quick') ? STAGES.slice(0, -1) : STAGES
const mutants = [...FOLDERS.flatMap(filesIn), ...FILES]
  .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter(isAsked)

function isAsked({ file, line, reads }: Mutant): boolean {
  return filters.length === 0 || filters.some((filter) => `${file}:${line} ${reads}`.includes(filter))
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
}

interface Verdict {
  readonly mutant: Mutant
  readonly verdict: 'killed' | 'survived' | 'equivalent'
}

async function main(): Promise<void> {
  const workers = Array.from({ length: availableParallelism() }, () => copyOfTree())
  const verdicts: Verdict[] = []
  let next = 0
  try {
    await Promise.all(
      workers.map(async (tree) => {
        for (let mutant = mutants[next++]; mutant; mutant = mutants[next++]) {
          const verdict = await judge(tree, mutant)
          verdicts.push({ mutant, verdict })
          const told =
            verdict === 'killed' && filters.length === 0
              ? ''
              : `${verdict}  ${mutant.file}:${mutant.line}  ${mutant.reads}`
          if (told) console.log(told)
          if (verdicts.length % 20 === 0) console.log(`${verdicts.length} of ${mutants.length}`)
        }
      }),
    )
  } finally {
    for (const tree of workers) rmSync(tree, { recursive: true, force: true })
  }
  report(verdicts)
}

function isSame(known: Equivalent, mutant: Mutant): boolean {
  return known.file === mutant.file && known.within === mutant.within && known.reads === mutant.reads
}

function copyOfTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'tidemark-mutants-'))
  for (const part of TREE) cpSync(join(root, part), join(tree, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

async function judge(tree: string, mutant: Mutant): Promise<Verdict['verdict']> {
  const known = EQUIVALENT.some((e) => isSame(e, mutant))
  if (known) return 'equivalent'
  const file = join(tree, mutant.file)
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, applied(mutant, source))
  try {
    for (const stage of stages) if (!(await testsPass(tree, stage))) return 'killed'
    return 'survived'
  } finally {
    writeFileSync(file, source)
  }
}

function testsPass(tree: string, { tests, runs, atMostMs }: Stage): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  // one thread and one import of the engine for all files: that is most of the time of a unit test
  const once = ['--no-isolate', '--pool', 'threads', '--maxWorkers', '1']
  const args = [vitest, 'run', '--project', 'pure', '--bail', '1', '--reporter', 'dot', ...once, ...tests]
  const env = runs ? { ...process.env, TIDEMARK_RUNS: String(runs) } : process.env
  const child = spawn(process.execPath, args, { cwd: tree, stdio: 'ignore', detached: true, env })
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), atMostMs)
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

function report(verdicts: readonly Verdict[]): void {
  const count = (verdict: Verdict['verdict']) => verdicts.filter((v) => v.verdict === verdict).length
  const [killed, survived, equivalent] = [count('killed'), count('survived'), count('equivalent')]
  const score = killed + survived === 0 ? 100 : (killed / (killed + survived)) * 100
  for (const known of EQUIVALENT) {
    if (filters.length === 0 && !verdicts.some(({ mutant }) => isSame(known, mutant)))
      console.log(`equivalent.ts names a fault that is no more: ${known.file}  ${known.reads}`)
  }
  console.log(`${killed} killed, ${survived} survived, ${equivalent} equivalent: ${score.toFixed(1)} %`)
  process.exitCode = survived > 0 ? 1 : 0
}

await main()
