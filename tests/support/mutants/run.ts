import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { EQUIVALENT } from './equivalent'
import { applied, type Mutant, mutantsOf } from './mutants'

/*
 * npm run mutants [-- FILTER]: puts each fault into a copy of the tree and runs the engine's tests over it. A fault
 * that no test sees is reported, unless it stands in equivalent.ts with the reason why nothing can be seen of it.
 */
const root = join(import.meta.dirname, '../../..')
const TREE = ['server', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'app', 'biome.json']
/** Where time is decided: the clocks, the windows, and what fires, closes and is late. */
const FOLDERS = ['server/engine/clock', 'server/engine/windows']
const FILES = ['server/engine/passTime.ts', 'server/engine/foldEvents.ts', 'server/engine/foldCommand.ts']
/** The quick ones first: most faults fall there, in seconds. */
const TESTS = [['tests/unit/engine', 'tests/unit/fieldCases'], ['tests/property/engine']]
/** A fault may make a loop endless: then the tests do not end, which is as good as their failing. */
const AT_MOST_MS = 180_000

const filter = process.argv[2] ?? ''
const mutants = [...FOLDERS.flatMap(filesIn), ...FILES]
  .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  .filter((mutant) => `${mutant.file}:${mutant.line} ${mutant.reads}`.includes(filter))

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
          if (verdict !== 'killed' || filter)
            console.log(`${verdict}  ${mutant.file}:${mutant.line}  ${mutant.reads}`)
          else if (verdicts.length % 20 === 0) console.log(`${verdicts.length} of ${mutants.length}`)
        }
      }),
    )
  } finally {
    for (const tree of workers) rmSync(tree, { recursive: true, force: true })
  }
  report(verdicts)
}

function copyOfTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'tidemark-mutants-'))
  for (const part of TREE) cpSync(join(root, part), join(tree, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  return tree
}

async function judge(tree: string, mutant: Mutant): Promise<Verdict['verdict']> {
  const known = EQUIVALENT.some((e) => e.file === mutant.file && e.reads === mutant.reads)
  if (known) return 'equivalent'
  const file = join(tree, mutant.file)
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, applied(mutant, source))
  try {
    for (const tests of TESTS) if (!(await testsPass(tree, tests))) return 'killed'
    return 'survived'
  } finally {
    writeFileSync(file, source)
  }
}

function testsPass(tree: string, tests: readonly string[]): Promise<boolean> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'pure', '--bail', '1', '--reporter', 'dot', ...tests]
  const child = spawn(process.execPath, args, { cwd: tree, stdio: 'ignore', detached: true })
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), AT_MOST_MS)
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
  for (const { file, reads } of EQUIVALENT) {
    if (!filter && !verdicts.some(({ mutant }) => mutant.file === file && mutant.reads === reads))
      console.log(`equivalent.ts names a fault that is no more: ${file}  ${reads}`)
  }
  console.log(`${killed} killed, ${survived} survived, ${equivalent} equivalent: ${score.toFixed(1)} %`)
  process.exitCode = survived > 0 ? 1 : 0
}

await main()
