import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT, run } from '../support/cli'
import { differences } from '../support/vectors/compare'
import { judge, lineOf, totalsOf } from '../support/vectors/judge'
import { PASS, SKIP } from '../support/vectors/samples'
import { type RawVector, readVectorFile } from '../support/vectors/schema'

const FILE = fileURLToPath(new URL('../../../shared/vectors/flink.json', import.meta.url))
const present = existsSync(FILE)
if (!present) console.log(`no vectors at ${FILE}: these tests need them and were skipped`)
const shared: readonly RawVector[] = present ? readVectorFile(FILE) : []

const folder = mkdtempSync(join(tmpdir(), 'tidemark-vectors-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every vector that differs from this one in one number, step or fact of what it expects. */
function wrongOnes(vector: RawVector): RawVector[] {
  const lists = ['expected', 'ourExpected', 'lateSideOutput'] as const
  const told = lists.filter(
    (name) => (name === 'expected') !== (vector.antiVector === true && name === 'expected'),
  )
  return told.flatMap((name) => {
    const facts = vector[name]
    if (!Array.isArray(facts)) return []
    return facts.flatMap((fact: Record<string, unknown>, i) => {
      const put = (...other: unknown[]) => ({ ...vector, [name]: facts.toSpliced(i, 1, ...other) })
      // A watermark holds at steps that the vector does not name, too.
      const holds = vector.kind === 'watermark-generator'
      const numbers = Object.entries(fact).filter(
        ([field, value]) => typeof value === 'number' && !(holds && field === 'atStep'),
      )
      // Neither is a retraction compared where none is told.
      const needed = holds || fact.value === null ? [] : [put()]
      return [...needed, ...numbers.map(([field, value]) => put({ ...fact, [field]: Number(value) + 1 }))]
    })
  })
}

describe.skipIf(!present)("Flink's own facts", () => {
  it.each(shared)('$id: the engine does as Flink, or the reason why not is told', (vector) => {
    expect(judge(vector).verdict, lineOf(judge(vector))).not.toBe('FAIL')
  })

  it('skipped are three, each for what we have not or refuse', () => {
    const skipped = shared.map(judge).filter(({ verdict }) => verdict === 'skip')
    expect(skipped.map(({ id }) => id)).toEqual([
      'flink-session-dynamic-gap',
      'flink-assign-hop-slide-gt-size',
      'flink-idle-timer-anchoring',
    ])
    expect(totalsOf(shared.map(judge))).toBe('33 passed, 0 failed, 3 skipped')
  })

  it('control: no vector passes with one number, step or fact of its expectation changed', () => {
    const passing = shared.filter((vector) => judge(vector).verdict === 'ok')
    const wrong = passing.flatMap(wrongOnes)
    expect(wrong.length).toBeGreaterThan(150)
    expect(wrong.filter((vector) => judge(vector).verdict === 'ok')).toEqual([])
  })
})

describe('facts of other dialects', () => {
  it.each(PASS)('$id: compared and equal', (vector) => {
    expect(lineOf(judge(vector))).toBe(`ok   ${vector.id}`)
  })

  it.each(PASS)('$id: control, a changed expectation is not equal', (vector) => {
    const wrong = wrongOnes(vector)
    expect(wrong.filter((other) => judge(other).verdict === 'ok')).toEqual([])
  })

  it.each(SKIP)('what does not apply is skipped with its reason: %o', (vector, reason) => {
    const { verdict, detail } = judge(vector)
    expect({ verdict, detail }).toEqual({ verdict: 'skip', detail: expect.stringContaining(reason) })
  })

  it('an anti-vector in words fails when the engine does as upstream', () => {
    const [copied] = PASS.filter(({ id }) => id === 'flink-cumulate')
    const { verdict, detail } = judge({ id: 'anti', ...copied, antiVector: true, ourExpected: 'no sums' })
    expect({ verdict, detail }).toEqual({ verdict: 'FAIL', detail: expect.stringContaining('no sums') })
  })
})

describe('comparison', () => {
  const at = (atStep: number, value: number) => ({ atStep, value })

  it('facts of a step are a set; those of two steps are not mixed', () => {
    const compare = (expected: object[], actual: object[]) =>
      differences({ sort: 'x', expected: expected as [], actual: actual as [] })
    expect(compare([at(1, 5), at(1, 6)], [at(1, 6), at(1, 5)])).toEqual([])
    expect(compare([at(1, 5)], [at(2, 5)])).toEqual([
      'x at step 1: expected {"value":5}, engine nothing',
      'x at step 2: expected nothing, engine {"value":5}',
    ])
  })
})

describe('the command', () => {
  const vectors = (...args: string[]) =>
    run(process.execPath, ['--import', 'tsx', 'tests/acceptance/vectors.ts', ...args], {}, ROOT)
  const file = (name: string, content: unknown) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  it('prints a line a vector and the totals, and fails when one fails, with both sides', async () => {
    const [right, other] = PASS
    const wrong = { ...other, expected: [{ ...other?.expected[0], value: 99 }] }
    const ran = await vectors(file('two.json', { schema: {}, count: 2, vectors: [right, wrong] }))
    const lines = ran.stdout.trim().split('\n')
    expect(lines[0]).toBe(`ok   ${right?.id}`)
    expect(lines[1]).toMatch(
      /^FAIL kafka-suppress: firing at step 3: expected .*"value":99.*, engine .*"value":2/,
    )
    expect(lines[2]).toBe('1 passed, 1 failed, 0 skipped')
    expect(ran.code).toBe(1)
  })

  it('nothing failed: exit code 0', async () => {
    const ran = await vectors(file('one.json', { schema: {}, vectors: PASS.slice(0, 1) }))
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 passed, 0 failed, 0 skipped\n$/),
    })
  })

  it.each([
    ['absent.json', null, 'cannot read'],
    ['text.json', 'hello', 'is not JSON'],
    ['other.json', { rows: [] }, 'is not a file of vectors: schema'],
    [
      'short.json',
      { schema: {}, count: 2, vectors: [{ id: 'a' }] },
      'says that it holds 2 vectors, but holds 1',
    ],
  ])('%s is refused in one clear line', async (name, content, message) => {
    const ran = await vectors(content === null ? join(folder, name) : file(name, content))
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(message)
    expect(ran.stderr.trim().split('\n')).toHaveLength(1)
  })
})
