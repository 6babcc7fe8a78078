import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMB, toUnits } from '../../../../server/contracts/money'
import { Differences } from '../../../../server/engine/windows/differences'

const IDS = 40
const span = fc.tuple(fc.nat(IDS), fc.nat(12)).map(([first, more]) => [first, first + more] as const)
const money = fc.tuple(fc.nat(LIMB - 1), fc.nat(LIMB - 1))
/** An event, and the part of its windows that had not seen its order or its buyer. */
const added = fc.record({
  key: fc.nat(3),
  span,
  money,
  refund: fc.boolean(),
  skip: fc.nat(6),
  cut: fc.nat(6),
})
const move = fc.oneof(
  { weight: 10, arbitrary: added },
  { weight: 2, arbitrary: fc.record({ pass: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true }) },
)
type Added = typeof added extends fc.Arbitrary<infer T> ? T : never

const exactly = ({ gross, refunds, ...counts }: ReturnType<Differences['valuesOf']>) => ({
  ...counts,
  gross: toUnits(gross),
  refunds: toUnits(refunds),
})

function add(
  line: Differences,
  { key, span: [first, last], money: [hi, lo], refund, skip, cut }: Added,
): void {
  const amount = refund ? { refundsHi: hi, refundsLo: lo } : { grossHi: hi, grossLo: lo }
  line.add(key, first, last, { ...amount, events: 1 })
  if (refund) return
  line.add(key, first + skip, last, { orders: 1 })
  line.add(key, first, last - cut, { buyers: 1 })
}

/** Values of a key in a window: everything that was added to it, one by one. */
function naive(all: readonly Added[], key: number, id: number) {
  const of = all.filter((e) => e.key === key && e.span[0] <= id && id <= e.span[1])
  const orders = of.filter((e) => !e.refund)
  const sum = (events: Added[]) =>
    events.reduce((s, e) => s + toUnits({ hi: e.money[0], lo: e.money[1] }), 0n)
  return {
    gross: sum(orders),
    refunds: sum(of.filter((e) => e.refund)),
    orders: orders.filter((e) => e.span[0] + e.skip <= id).length,
    buyers: orders.filter((e) => id <= e.span[1] - e.cut).length,
    events: of.length,
  }
}

/** Keys that have a part in a window behind `passed`. */
const liveKeys = (all: readonly Added[], passed: number) =>
  new Set(all.filter((e) => e.span[1] > passed).map((e) => e.key))

/** Passes some windows, and expects to hear of exactly those keys that have a part in none any more. */
function pass(line: Differences, all: readonly Added[], from: number, to: number): void {
  const after = liveKeys(all, to)
  const expected = [...liveKeys(all, from)].filter((key) => !after.has(key))
  const heard: number[] = []
  line.pass(to, (key) => heard.push(key))
  expect(heard.sort()).toEqual(expected.sort())
}

describe('the differences along the windows', () => {
  test('are the sums of each window by itself, and lose keys when those are over, through restarts', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80, size: 'max' }), (moves) => {
        let line = new Differences()
        const all: Added[] = []
        let passed = -1
        for (const m of moves) {
          if ('key' in m) {
            add(line, m)
            all.push(m)
          } else if ('pass' in m) {
            pass(line, all, passed, passed + m.pass)
            passed += m.pass
          } else line = Differences.restore(structuredClone(line.save()))
        }
        for (let key = 0; key <= 3; key++) {
          for (let id = passed + 1; id <= IDS + 14; id++) {
            expect(exactly(line.valuesOf(key, id))).toEqual(naive(all, key, id))
          }
        }
        expect([...line.keys()].sort()).toEqual([...liveKeys(all, passed)].sort())
      }),
    )
  })
})
