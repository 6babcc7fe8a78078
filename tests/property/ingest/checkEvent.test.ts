import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventBatchBuilder, eventAt } from '../../../server/contracts/eventBatch'
import { QUARANTINE_CODES } from '../../../server/contracts/quarantine'
import { TIME_UNITS } from '../../../server/contracts/sourceSpec'
import { checkEvent } from '../../../server/ingest/checkEvent'
import { Flaw, isStorable } from '../../../server/ingest/flaw'
import { toRejected } from '../../../server/ingest/rejected'
import { rulesFor } from '../../../server/ingest/sourceRules'
import { ARRIVAL, order, spec } from '../../unit/ingest/fixtures'

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
})
const text = fc.string({ unit: 'binary', maxLength: 200 })
const field = fc.constantFrom(...Object.keys(order()))
/** An order with some of its fields replaced by whatever. */
const damaged = fc
  .dictionary(field, fc.oneof(anything, text, fc.double(), fc.maxSafeInteger()))
  .map((over) => order(over))
const settings = fc.record({
  strict: fc.boolean(),
  unit: fc.constantFrom(...TIME_UNITS),
  maxAge: fc.constantFrom(null, 1_000),
})

describe('whatever is sent', () => {
  test('becomes fields that columns hold, or a flaw that can be stored; it never throws', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(anything, fc.jsonValue(), damaged), settings, (value, source) => {
        const rules = rulesFor(spec(source), 'pos-1')
        const checked = checkEvent(value, rules, ARRIVAL)
        if (checked instanceof Flaw) {
          expect(QUARANTINE_CODES).toContain(checked.code)
          expect(checked.message.length).toBeGreaterThan(10)
          expect(checked.message.length).toBeLessThan(600)
          const kept = toRejected(0, value, checked, `{"x":1}`, rules)
          for (const part of [kept.message, kept.eventId, kept.field])
            expect(isStorable(part ?? '')).toBe(true)
          return
        }
        accepted++
        const builder = new EventBatchBuilder()
        builder.add(checked)
        expect(eventAt(builder.build(), 0)).toEqual({ ...checked, dimensions: [...checked.dimensions] })
        expect(checked.eventTime).toBeGreaterThan(0)
        expect(checked.eventTime).toBeLessThanOrEqual(ARRIVAL + 300_000)
        expect(Number.isInteger(checked.eventTime)).toBe(true)
      }),
      { numRuns: 10_000 },
    )
    expect(accepted).toBeGreaterThan(20)
  })

  test('the verdict depends on the value alone, not on the text or the order of its fields', () => {
    fc.assert(
      fc.property(damaged, (value) => {
        const rules = rulesFor(spec(), 'pos-1')
        let again: unknown
        try {
          again = JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(value).reverse()), null, 2))
          value = JSON.parse(JSON.stringify(value))
        } catch {
          return
        }
        expect(checkEvent(again, rules, ARRIVAL)).toEqual(checkEvent(value, rules, ARRIVAL))
      }),
      { numRuns: 3_000 },
    )
  })
})

test('raw text is kept to the byte up to 16 KiB, and cut at a character beyond', () => {
  const flaw = new Flaw('wrong_type', null, 'not an event')
  const rules = rulesFor(spec(), 'pos-1')
  const long = fc.tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.integer({ min: 1, max: 12_000 }))
  fc.assert(
    fc.property(long, ([piece, times]) => {
      const raw = piece.repeat(times)
      const kept = toRejected(0, null, flaw, raw, rules)
      expect(Buffer.byteLength(kept.raw)).toBeLessThanOrEqual(16_384)
      expect(isStorable(kept.raw)).toBe(true)
      // a NUL grows to three bytes on its way into the store; halves of pairs have three either way
      expect(kept.cut).toBe(Buffer.byteLength(raw.replaceAll('\0', '\ufffd')) > 16_384)
      if (isStorable(raw)) expect(raw.startsWith(kept.raw)).toBe(true)
      if (isStorable(raw) && kept.cut) expect(Buffer.byteLength(kept.raw)).toBeGreaterThan(16_384 - 4)
    }),
    { numRuns: 500 },
  )
})
