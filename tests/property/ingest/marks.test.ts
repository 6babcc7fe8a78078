import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Flaw } from '../../../server/ingest/flaw'
import { checkMark, isMark } from '../../../server/ingest/mark'
import { rulesFor } from '../../../server/ingest/sourceRules'
import { takeEvents } from '../../../server/ingest/takeEvents'
import { ARRIVAL, inOrder, order, spec } from '../../unit/ingest/fixtures'

const rules = rulesFor(spec({ strategy: { kind: 'punctuated' } }), 'pos-1')

type Entry = { readonly says: string | number | null; readonly value: unknown }
const goodMark = fc
  .integer({ min: 1, max: 1e6 })
  .map<Entry>((ms) => ({ says: ARRIVAL - ms, value: { mark: ARRIVAL - ms } }))
const goodEvent = fc.uuid().map<Entry>((eventId) => ({ says: eventId, value: order({ eventId }) }))
const bad = fc
  .constantFrom<unknown>({ mark: 'x' }, { mark: ARRIVAL + 1e9 }, {}, 7, order({ amount: '-1' }))
  .map<Entry>((value) => ({ says: null, value }))

test('however marks, events and bad ones are mixed, each is in one place and the order of the good is kept', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(goodMark, goodEvent, bad), { maxLength: 40 }), (entries) => {
      const values = entries.map((e) => e.value)
      const { batch, marks, rejected } = takeEvents(values, () => '', rules, ARRIVAL)
      expect(batch.count + marks.length + rejected.length).toBe(entries.length)
      const good = entries.map((e) => e.says).filter((says) => says !== null)
      expect(inOrder({ kind: 'events', at: ARRIVAL, batch, marks, rejected })).toEqual(good)
      const flawed = entries.flatMap((e, i) => (e.says === null ? [i] : []))
      expect(rejected.map((r) => r.index)).toEqual(flawed)
    }),
    { numRuns: 1_000 },
  )
})

test('whatever stands as a mark becomes an instant that the guards allow, or a flaw; it never throws', () => {
  let accepted = 0
  const time = fc.oneof(
    fc.anything({ withBigInt: true }),
    fc.double(),
    fc.date().map(String),
    fc.integer({ min: 1 }),
  )
  fc.assert(
    fc.property(time, (mark) => {
      const value = { mark }
      if (!isMark(value)) throw new Error('not a mark')
      const checked = checkMark(value, rules, ARRIVAL)
      if (checked instanceof Flaw) return
      accepted++
      expect(Number.isInteger(checked)).toBe(true)
      expect(checked).toBeGreaterThan(0)
      expect(checked).toBeLessThanOrEqual(ARRIVAL + 300_000)
    }),
    { numRuns: 5_000 },
  )
  expect(accepted).toBeGreaterThan(20)
})
