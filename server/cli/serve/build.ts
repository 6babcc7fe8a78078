import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CommandProblem } from '../problem'

/** What the pages are built from. */
const INPUTS = [
  'app',
  'server/contracts',
  'server/trpc',
  'package-lock.json',
  'next.config.js',
  'postcss.config.mjs',
]

/** Builds the pages unless the build that is there is of these sources. Throws CommandProblem when it fails. */
export async function ensureBuilt(root: string, say: (text: string) => void): Promise<void> {
  const marker = join(root, '.next', 'tidemark-sources')
  const wanted = fingerprint(root)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  say('Building the pages (once for this version, about half a minute) …')
  await build(root)
  writeFileSync(marker, wanted)
}

function fingerprint(root: string): string {
  const hash = createHash('sha256').update(process.version)
  for (const input of INPUTS) {
    for (const file of filesUnder(join(root, input)))
      hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function build(root: string): Promise<void> {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
    const child = spawn(process.execPath, [next, 'build'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output = (output + data).slice(-8_000)
      })
    }
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new CommandProblem(`The pages could not be built:\n${output}`))
    })
  })
}
