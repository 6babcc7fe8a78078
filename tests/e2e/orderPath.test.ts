import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WindowRow } from '@/server/contracts/windowRow'
import { createStore, type Store } from '@/server/store/client'
import { launchBrowser, skipBrowserTests } from '@/tests/support/browser'
import { freshDatabase } from '@/tests/support/database'
import { push, query, startTestServer, type TestServer } from '@/tests/support/server'

/** One order's way from a producer's HTTP call to the screen, in a real browser, without a reload. */
const MINUTE = 60_000
const spec = { allowedLateness: '1m', idleTimeout: null, zone: 'UTC' }

let n = 0
const order = (eventTime: number, amount: string) => {
  const id = `${++n}`
  return { eventId: `e-${id}`, orderId: `o-${id}`, amount, currency: 'EUR', eventTime, userId: `u-${id}` }
}

describe.skipIf(skipBrowserTests())('the path of an order on the screen', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let server: TestServer
  let store: Store
  let browser: Browser
  let page: Page
  const errors: string[] = []
  // The minute under test: marks and figures are read from its row of the table view. All later events of the test
  // are in the past, too, since the page shows no minute that has not begun.
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - 4 * MINUTE
  const label = `${clock(start)}–${clock(start + MINUTE)}`

  beforeAll(async () => {
    database = await freshDatabase()
    server = await startTestServer({ database, spec })
    store = createStore(database.url)
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US' })
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`${server.url}/?as=table`)
    await page.getByText('live', { exact: true }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await store?.close()
    await server?.stop()
    await database?.drop()
  })

  const send = async (eventTime: number, amount: string) => {
    const { body } = await push(server, 'web', [order(eventTime, amount)])
    expect(body).toMatchObject({ accepted: 1 })
  }
  const minuteRow = () => page.getByRole('row').filter({ hasText: label })
  const shows = (text: string | RegExp, timeout = 5_000) =>
    minuteRow().filter({ hasText: text }).waitFor({ timeout })

  /** As `shows`, looked for at every frame: waiting for a locator looks in steps of up to half a second. */
  const painted = (text: RegExp) =>
    page.waitForFunction(
      ([minute, wanted]) =>
        [...document.querySelectorAll('tr')].some(
          ({ textContent }) => textContent.includes(minute) && new RegExp(wanted).test(textContent),
        ),
      [label, text.source] as const,
      { polling: 'raf' },
    )

  it('an order sent over HTTP appears in the open window within a second', async () => {
    const took: number[] = []
    for (let i = 1; i <= 5; i++) {
      await send(start + i * 100, '20.00')
      const acknowledged = performance.now()
      await painted(eur(`${i * 20}.00`, '…'))
      took.push(performance.now() - acknowledged)
    }
    console.log(`order to screen: ${took.map((ms) => Math.round(ms)).join(', ')} ms after the receipt`)
    const median = took.sort((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY
    expect(median).toBeLessThan(1_000)
    await shows('so far')
  })

  it('the window fires when the watermark reaches its end', async () => {
    // B is 5 s: an event at end + 5 s - 1 leaves the watermark one millisecond short.
    await send(start + MINUTE + 4_999, '1.00')
    await page.waitForTimeout(1_200)
    await shows('so far')
    await send(start + MINUTE + 5_000, '1.00')
    await shows('complete')
  })

  it('a late order corrects it, in the open', async () => {
    await send(start + 200, '23.45')
    await shows('corrected')
    await shows(eur('123.45'))
    await shows('rev 2')
    await page
      .getByRole('listitem')
      .filter({ hasText: eur('23.45') })
      .waitFor()
  })

  it('a too-late one changes no window and waits in the late store', async () => {
    const console_ = await browser.newPage({ locale: 'en-US' })
    await console_.goto(`${server.url}/console`)
    await console_.getByText('No order came too late.').waitFor()
    await send(start + 3 * MINUTE, '5.00')
    await send(start + 300, '77.77')
    const waiting = console_.getByRole('region', { name: 'Late store' })
    await waiting.getByText(eur('77.77')).first().waitFor({ timeout: 5_000 })
    await page
      .getByText(/1 late order waiting, €\s?77\.77/)
      .first()
      .waitFor({ timeout: 15_000 })
    await shows(eur('123.45'))
    await console_.close()
  })

  it('the numbers on the page are what a query returns', async () => {
    const figures = await page.getByRole('region', { name: 'Today' }).textContent()
    const day = await store.prisma.windowRow.findMany({ where: { view: 'gmv_total_day' } })
    const minutes = await store.prisma.windowRow.findMany({ where: { view: 'gmv_total_1m' } })
    const total = day.reduce((sum, row) => sum.plus(row.gross).minus(row.refunds), zero(day))
    expect(total.toFixed(4)).toBe(
      minutes.reduce((sum, row) => sum.plus(row.gross).minus(row.refunds), zero(day)).toFixed(4),
    )
    if (day.length === 1) expect(figures).toMatch(eur(total.toFixed(2)))
    for (const row of minutes) {
      const shown = await page
        .getByRole('row')
        .filter({ hasText: `${clock(Number(row.startAt))}–${clock(Number(row.endAt))}` })
        .textContent()
      expect(shown).toMatch(eur(row.gross.toFixed(2)))
    }
    const window = { view: 'gmv_total_1m', from: start, to: start + 1 }
    const { windows } = await query<{ windows: WindowRow[] }>(server, 'dashboard.windows', window)
    expect(windows).toMatchObject([
      { gross: '123.4500', orders: 6, buyers: 6, revision: 2, status: 'closed' },
    ])
    expect(errors).toEqual([])
  })
})

/** An amount as the screen writes it: a narrow space may stand behind the sign. */
function eur(amount: string, after = ''): RegExp {
  return new RegExp(`€\\s?${amount.replace('.', '\\.')}${after}`)
}

function clock(instant: number): string {
  return new Date(instant).toISOString().slice(11, 16)
}

/** A zero of the database's own decimal type. */
function zero<T extends { gross: { minus(other: unknown): T['gross'] } }>(rows: readonly T[]): T['gross'] {
  const [first] = rows
  if (!first) throw new Error('no rows')
  return first.gross.minus(first.gross)
}
