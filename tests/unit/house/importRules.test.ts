import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, run } from '@/tests/support/cli'

/** Boundaries that no linter enforces do not exist: each rule is shown to fail on a file that breaks it. */
const BREAKS: readonly [rule: string, file: string, imports: string][] = [
  ['engine-imports-one-way', 'server/engine/bad.ts', '../store/client'],
  ['engine-is-pure', 'server/engine/disk.ts', 'node:fs'],
  ['contracts-imports-one-way', 'server/contracts/bad.ts', '../engine/step'],
  ['contracts-stay-light', 'server/contracts/heavy.ts', 'node:zlib'],
  ['ingest-imports-one-way', 'server/ingest/bad.ts', '../journal/postgres'],
  ['journal-imports-one-way', 'server/journal/bad.ts', '../engine/step'],
  ['live-imports-one-way', 'server/live/bad.ts', '../runner/runner'],
  ['prisma-only-in-store', 'server/services/bad.ts', '@prisma/client'],
  ['app-reaches-server-by-wire', 'app/bad.ts', '../server/store/client'],
  ['cli-is-a-leaf', 'server/runner/bad.ts', '../cli/problem'],
  ['nothing-imports-tests', 'server/store/bad.ts', '../../tests/support/cli'],
]

describe('import rules', () => {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-rules-'))
  let report = ''

  beforeAll(async () => {
    for (const part of [
      'server',
      'app',
      'tests/support',
      'tsconfig.json',
      'package.json',
      '.dependency-cruiser.cjs',
    ]) {
      cpSync(join(ROOT, part), join(copy, part), { recursive: true })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const [, file, imports] of BREAKS) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      writeFileSync(join(copy, file), `import * as bad from '${imports}'\nexport const used = bad\n`)
    }
    const cruise = join(ROOT, 'node_modules/.bin/depcruise')
    report = (await run(cruise, ['server', 'app', '--config'], {}, copy)).stdout
  }, 120_000)
  afterAll(() => rmSync(copy, { recursive: true }))

  it.each(BREAKS)('%s fails on %s, which imports %s', (rule, file) => {
    expect(report).toMatch(new RegExp(`error ${rule}: ${file.replaceAll('.', '\\.')} `))
  })

  it('no other file breaks a rule', () => {
    const broken = new Set([...report.matchAll(/error [\w-]+: (\S+)/g)].map((match) => match[1]))
    expect([...broken].sort()).toEqual([...new Set(BREAKS.map(([, file]) => file))].sort())
  })
})

describe('the engine', () => {
  it('draws no random numbers and reads no environment', () => {
    const folder = join(ROOT, 'server/engine')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    expect(files.length).toBeGreaterThan(10)
    for (const name of files) {
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(
        /Math\.random|import\.meta|process\./,
      )
    }
  })

  it('may not name a clock: the linter refuses it', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'tidemark-lint-'))
    mkdirSync(join(copy, 'server/engine'), { recursive: true })
    const config = readFileSync(join(ROOT, 'biome.json'), 'utf8').replace(
      '"enabled": true',
      '"enabled": false',
    )
    writeFileSync(join(copy, 'biome.json'), config)
    writeFileSync(join(copy, 'server/engine/clock.ts'), 'export const now = () => Date.now()\n')
    const ran = await run(join(ROOT, 'node_modules/.bin/biome'), ['lint', 'server'], {}, copy)
    rmSync(copy, { recursive: true })
    expect(ran.code).not.toBe(0)
    expect(ran.stdout + ran.stderr).toContain('noRestrictedGlobals')
  })
})
