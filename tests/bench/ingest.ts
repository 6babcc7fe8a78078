/**
 * Events per second of CPU from JSON in memory through parse, check and columns; then the same without parsing.
 * Run: npx tsx tests/bench/ingest.ts [rounds]. The machine is noisy: compare within one run (limits.md).
 */
import { performance } from 'node:perf_hooks'
import { checkEvent } from '../../server/ingest/checkEvent'
import { parseBody } from '../../server/ingest/parseBody'
import { rulesFor } from '../../server/ingest/sourceRules'
import { takeEvents } from '../../server/ingest/takeEvents'
import { ARRIVAL, spec } from '../unit/ingest/fixtures'

const BATCH = 500
const rounds = Number(process.argv[2] ?? 400)
const rules = rulesFor(spec(), 'pos-1')

function event(i: number) {
  return {
    eventId: `evt-${(i * 2_654_435_761) % 4_294_967_296}-${i}`,
    orderId: `ord-${i}`,
    amount: `${(i * 7) % 2_000}.${String(i % 100).padStart(2, '0')}`,
    currency: 'CNY',
    eventTime: ARRIVAL - (i % 60_000),
    userId: `u-${(i * 31) % 20_000}`,
    dimensions: { region: `r${i % 10}`, channel: ['web', 'app', 'store', 'mini'][i % 4] },
  }
}

const bodies = Array.from({ length: 40 }, (_, b) =>
  Array.from({ length: BATCH }, (_, i) => event(b * BATCH + i)),
)
const arrays = bodies.map((events) => Buffer.from(JSON.stringify(events)))
const lines = bodies.map((events) => Buffer.from(events.map((e) => JSON.stringify(e)).join('\n')))
const parsed = arrays.map((bytes) => parseBody(bytes, 'json'))

function measure(name: string, work: (round: number) => number): void {
  for (let i = 0; i < rounds / 4; i++) work(i)
  const cpu = process.cpuUsage()
  const from = performance.now()
  let events = 0
  for (let i = 0; i < rounds; i++) events += work(i)
  const used = process.cpuUsage(cpu)
  const seconds = (used.user + used.system) / 1e6
  const wall = (performance.now() - from) / 1e3
  console.log(
    `${name.padEnd(34)} ${(events / seconds / 1e6).toFixed(2)} M/s of CPU, ${(events / wall / 1e6).toFixed(2)} M/s of wall time`,
  )
}

const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T
const columns = (body: { values: readonly unknown[]; rawOf(i: number): string }) =>
  takeEvents(body.values, body.rawOf, rules, ARRIVAL).batch.count

console.log(
  `${Math.round((arrays[0]?.length ?? 0) / BATCH)} bytes an event, ${BATCH} events a body, Node ${process.version}`,
)
measure('array: parse + check + columns', (i) => columns(parseBody(at(arrays, i), 'json')))
measure('NDJSON: parse + check + columns', (i) => columns(parseBody(at(lines, i), 'ndjson')))
measure('array: parse only', (i) => parseBody(at(arrays, i), 'json').values.length)
measure('parsed already: check + columns', (i) => columns(at(parsed, i)))
measure('parsed already: check only', (i) => {
  const { values } = at(parsed, i)
  for (const value of values) checkEvent(value, rules, ARRIVAL)
  return values.length
})
