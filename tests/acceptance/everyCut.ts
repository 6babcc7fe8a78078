/** Every stream in every cut and mode, as a command: `npm run acceptance`. Minutes, so CI runs a part of it only. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tidemark } from '../support/cli'
import { ABSENT, acceptanceFile, acceptancePresent, STREAMS } from '../support/shared'

const MODES = [[], ['--per-event'], ['--batch', '1'], ['--batch', '7'], ['--batch', '5000']]

if (!acceptancePresent) throw new Error(ABSENT)
const out = join(mkdtempSync(join(tmpdir(), 'tidemark-acceptance-')), 'out.json')
let failed = 0
for (const { expected, stream, idle } of STREAMS) {
  for (const mode of MODES) {
    const options = ['--window', '1h', '--bound', '5m', '--lateness', '30m', '--key', 'country', '--out', out]
    const started = performance.now()
    await tidemark(['replay', acceptanceFile(`${stream}.csv.gz`), ...options, ...idle, ...mode])
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const emissions = mode[0] === '--per-event' ? ['--emissions'] : []
    const files = [acceptanceFile(`${expected}.expected.json.gz`), out]
    const { code, stdout } = await run(process.execPath, [
      acceptanceFile('compare.mjs'),
      ...files,
      ...emissions,
    ])
    if (code !== 0) failed++
    console.log(`${expected} ${mode.join(' ') || 'default'} (${seconds} s): ${stdout.trim()}`)
  }
}
console.log(`${STREAMS.length * MODES.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
