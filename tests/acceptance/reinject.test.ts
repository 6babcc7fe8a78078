import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { readEvents } from '../../server/cli/files/readEvents'
import { EventBatchBuilder } from '../../server/contracts/eventBatch'
import type { EventPlace } from '../../server/contracts/lateStore'
import { checkEvent } from '../../server/ingest/checkEvent'
import { Flaw } from '../../server/ingest/flaw'
import { rulesFor } from '../../server/ingest/sourceRules'
import { Run } from '../support/engine'
import { ABSENT, acceptanceFile, acceptancePresent } from '../support/shared'

if (!acceptancePresent) console.log(ABSENT)

const BATCH = 500
const HOUR = 3_600_000

interface Expected {
  readonly windows: readonly { start: number; key: string; truth: Values; last: Values | null }[]
}
interface Values {
  readonly gross: string
  readonly refunds: string
  readonly events: number
  readonly orders: number
  readonly buyers: number
}

const views = [
  { id: 'hour', window: { kind: 'tumbling' as const, size: HOUR }, groupBy: ['country'] },
  { id: 'hour_total', window: { kind: 'tumbling' as const, size: HOUR } },
  { id: 'day', window: { kind: 'tumbling' as const, size: 24 * HOUR }, groupBy: ['country'] },
  { id: 'arrivals', window: { kind: 'tumbling' as const, size: HOUR }, time: 'journal' as const },
  { id: 'slide', window: { kind: 'sliding' as const, size: 4 * HOUR, slide: 2 * HOUR } },
]
const rules = { strategy: { kind: 'bounded' as const, bound: '5m' }, idleTimeout: null }

/** The whole stream in its order of arrival through parser and engine. */
async function foldLines(lateness: string | number): Promise<Run> {
  const run = new Run({ ...rules, allowedLateness: lateness, views })
  let builder = new EventBatchBuilder()
  const flush = () => {
    const batch = builder.build()
    if (batch.count === 0) return
    run.record({ kind: 'events', at: batch.journalTime[batch.count - 1] ?? 0, batch, rejected: [] })
    builder = new EventBatchBuilder()
  }
  const reading = {
    required: ['receivedAt'],
    dimensions: ['country'],
    onBadLine: (e: Error) => {
      throw e
    },
  }
  let at = 0
  for await (const chunk of readEvents(acceptanceFile('online-retail-lines.csv.gz'), reading, () => {})) {
    for (const event of chunk) {
      at = Math.max(at, event.receivedAt ?? 0)
      const checked = checkEvent(event.value, rulesFor(run.spec, event.source), at)
      if (checked instanceof Flaw) throw new Error(`line ${event.line}: ${checked.message}`)
      builder.add(checked)
      if (builder.count >= BATCH) flush()
    }
  }
  flush()
  run.end(at)
  return run
}

function valuesOf(run: Run): Map<string, Values> {
  return new Map(
    [...run.rows]
      .filter(([, { events }]) => events > 0)
      .map(([name, { gross, refunds, events, orders, buyers }]) => [
        name,
        { gross, refunds, events, orders, buyers },
      ]),
  )
}

describe.skipIf(!acceptancePresent)('the 130 late lines of real orders', () => {
  let run: Run
  let truth: Map<string, Values>
  let before: Map<string, Values>
  let late: EventPlace[]

  beforeAll(async () => {
    truth = valuesOf(await foldLines('400d'))
    run = await foldLines('30m')
    before = valuesOf(run)
    late = run.latePlaces
  }, 200_000)

  it('re-injected, make every window of every view the truth', async () => {
    expect(late).toHaveLength(130)
    expect(valuesOf(run)).not.toEqual(truth)
    const { command, revisions } = await run.tell({ kind: 'reinject', events: late })
    expect(command).toMatchObject({ refused: null, changes: ['130 events re-injected'] })
    expect(valuesOf(run)).toEqual(truth)
    expect(new Set(revisions.map(({ kind }) => kind))).toEqual(new Set(['reconciled']))
    expect(run.state.counts).toMatchObject({ received: 541_909, late: 0, corrected: 55 + 130 })
  }, 200_000)

  it('are what the independent model says each hour must show', () => {
    const model = gunzipSync(readFileSync(acceptanceFile('lines-1h-b5m-l30m.expected.json.gz')))
    const { windows } = JSON.parse(model.toString()) as Expected
    const mine = windows.map(({ start, key }) => {
      const values = run.row('hour', start, JSON.stringify(['GBP', key]))
      return (
        values && {
          gross: values.gross,
          refunds: values.refunds,
          events: values.events,
          orders: values.orders,
          buyers: values.buyers,
        }
      )
    })
    const theirs = windows.map(({ truth: { gross, refunds, events, orders, buyers } }) => ({
      gross,
      refunds,
      events,
      orders,
      buyers,
    }))
    expect(mine).toEqual(theirs)
  })

  it('voided again, restore every row; its revisions go on', async () => {
    await run.tell({ kind: 'void', events: late })
    expect(valuesOf(run)).toEqual(before)
    expect(run.state.counts).toMatchObject({ received: 541_909, late: 130, corrected: 55 })
    const last = run.revisions.at(-1)
    expect(last).toMatchObject({ kind: 'reconciled', by: 'ann' })
  }, 200_000)
})
