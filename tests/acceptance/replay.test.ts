import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { run, tidemark } from '../support/cli'
import { ABSENT, acceptanceFile, acceptancePresent, STREAMS } from '../support/shared'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

if (!acceptancePresent) console.log(ABSENT)

async function replay(which: (typeof STREAMS)[number], extra: string[]): Promise<string> {
  const out = join(folder, `${which.expected}${extra.join('')}.json`)
  const options = ['--window', '1h', '--bound', '5m', '--lateness', '30m', '--key', 'country', '--out', out]
  const file = acceptanceFile(`${which.stream}.csv.gz`)
  const ran = await tidemark(['replay', file, ...options, ...which.idle, ...extra])
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
  return out
}

const compare = (expected: string, out: string, extra: string[] = []) =>
  run(process.execPath, [
    acceptanceFile('compare.mjs'),
    acceptanceFile(`${expected}.expected.json.gz`),
    out,
    ...extra,
  ])

describe.skipIf(!acceptancePresent)('real orders through the real parser and engine', () => {
  it.each(STREAMS)(
    '$expected: every window, first, last and late set as the independent model has them',
    async (s) => {
      const ran = await compare(s.expected, await replay(s, []))
      expect(ran.stdout).toMatch(/^equal: 4944 windows/)
      expect(ran.code).toBe(0)
    },
  )

  it.each(STREAMS)(
    '$expected: per event, each correction is an emission of its own, as in Flink',
    async (s) => {
      const ran = await compare(s.expected, await replay(s, ['--per-event']), ['--emissions'])
      expect(ran.stdout).toMatch(/^equal: 4944 windows/)
    },
  )

  it.each(['1', '7', '5000'])(
    'orders cut into records of %s give the same values and outcomes',
    async (batch) => {
      const ran = await compare(STREAMS[0].expected, await replay(STREAMS[0], ['--batch', batch]))
      expect(ran.stdout).toMatch(/^equal: 4944 windows/)
    },
  )

  it('what all events come to is the truth of the model, late ones included', async () => {
    const mine = JSON.parse(readFileSync(await replay(STREAMS[2], []), 'utf8')) as Truths
    const model = gunzipSync(readFileSync(acceptanceFile(`${STREAMS[2].expected}.expected.json.gz`)))
    const truths = (all: Truths) => all.windows.map(({ start, key, truth }) => ({ start, key, truth }))
    expect(truths(mine)).toEqual(truths(JSON.parse(model.toString()) as Truths))
  })

  it('control: a wrong bound does not pass', async () => {
    const out = await replay(STREAMS[0], ['--bound', '1m'])
    expect((await compare(STREAMS[0].expected, out)).code).toBe(1)
  })
})

interface Truths {
  readonly windows: readonly { readonly start: number; readonly key: string; readonly truth: unknown }[]
}
