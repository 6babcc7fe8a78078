import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultViews } from '../../../server/contracts/defaultViews'
import { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import { specChange } from '../../../server/contracts/specChange'
import { estimatedStateMb, specWarnings } from '../../../server/contracts/specWarnings'
import { session } from './refusals'

/** A definition with a part of every kind. */
const FULL = PipelineSpec.parse({
  strategy: { kind: 'adaptive' },
  tzdata: '2025c',
  closeByInactivity: '10m',
  maxDrift: '1m',
  sources: [
    { name: 'web', strategy: { kind: 'bounded', bound: 1 }, idleTimeout: null, map: { amount: 'total' } },
  ],
  views: [
    ...defaultViews('Europe/Berlin'),
    session,
    { id: 'sliding', window: { kind: 'sliding', size: '1h', slide: '5m' } },
    {
      id: 'steps',
      window: { kind: 'cumulate', step: '1h', within: { kind: 'calendar', unit: 'day', zone: 'UTC' } },
    },
  ],
})

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const parts = Object.entries(value).flatMap(([key, part]) =>
    pathsOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...parts]
}

/** A copy with another value at a place; undefined takes the field out. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((part, i) => (i === key ? replaced(part, rest, by) : part))
  const fields = value as Record<string, unknown>
  return { ...fields, [key]: replaced(fields[key], rest, by) }
}

const others = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    true,
    0,
    -1,
    1,
    1.5,
    1e9,
    2 ** 60,
    Number.NaN,
    '',
    'x',
    '5s',
    '-5s',
    '1d',
    [],
    {},
  ),
  fc.constantFrom('ascending', 'session', 'calendar', 'journal', 'month', 'UTC', '04:00', ['a', 'a'], [null]),
  fc.constantFrom({ kind: 'tumbling', size: 7 }, { kind: 'session', gap: '1m' }, { kind: 'ascending' }),
  fc.jsonValue({ maxDepth: 2 }),
)

test('whatever stands at whatever place of a definition, it is accepted or refused with a place and a reason', () => {
  const places = pathsOf(FULL)
  let refused = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...places), others), { minLength: 1, maxLength: 2 }),
      (changes) => {
        const wanted = changes.reduce<unknown>((spec, [path, by]) => {
          try {
            return replaced(spec, path, by)
          } catch {
            return spec
          }
        }, FULL)
        const parsed = PipelineSpec.safeParse(wanted)
        if (!parsed.success) {
          refused++
          expect(parsed.error.issues.length).toBeGreaterThan(0)
          for (const { message } of parsed.error.issues) expect(message).not.toBe('')
          return
        }
        // What is accepted can be judged, and is accepted as it is written back.
        for (const { message } of specWarnings(parsed.data))
          expect(message).not.toMatch(/NaN|undefined|Infinity/)
        expect(estimatedStateMb(parsed.data)).toBeGreaterThan(0)
        expect(PipelineSpec.parse(JSON.parse(JSON.stringify(parsed.data)))).toEqual(parsed.data)
        const { immediate, needsBackfill } = specChange(FULL, parsed.data)
        for (const text of [...immediate, ...needsBackfill.map((b) => b.message)])
          expect(text).not.toMatch(/NaN|undefined|\[object/)
      },
    ),
    { numRuns: 3_000 },
  )
  expect(refused).toBeGreaterThan(1_000)
})
