import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createStore, type Store } from '@/server/store/client'
import { ROOT, TIDEMARK, tidemark } from '@/tests/support/cli'
import { freshDatabase } from '@/tests/support/database'
import { EmbeddedBench } from '@/tests/support/embedded'
import { settled, startTestServer, type TestServer } from '@/tests/support/server'
import { ABSENT, acceptanceFile, acceptancePresent } from '@/tests/support/shared'

/** Five sources that wait 400 days, so that nothing is late: stored rows must be the truth of the model. */
const spec = {
  sources: [1, 2, 3, 4, 5].map((n) => ({ name: `uk-${n}`, strategy: { kind: 'bounded', bound: '400d' } })),
  views: [{ id: 'gmv_1h', window: { kind: 'tumbling', size: '1h' }, groupBy: ['country'] }],
}
const STREAM = acceptanceFile('online-retail-orders.csv.gz')

interface Truth {
  readonly windows: readonly { readonly start: number; readonly key: string; readonly truth: Row }[]
}
interface Row {
  readonly gross: string
  readonly refunds: string
  readonly events: number
  readonly orders: number
  readonly buyers: number
}

function truth(): Map<string, Row> {
  const file = gunzipSync(readFileSync(acceptanceFile('orders-1h-b5m-l30m.expected.json.gz')))
  const { windows } = JSON.parse(file.toString()) as Truth
  return new Map(windows.map((w) => [`${w.start} ${w.key}`, w.truth]))
}

async function storedRows(store: Store): Promise<Map<string, Row>> {
  const rows = await store.prisma.windowRow.findMany({ where: { view: 'gmv_1h' } })
  return new Map(
    rows.map((r) => [
      `${r.startAt} ${(r.dims as string[])[0]}`,
      {
        gross: r.gross.toFixed(4),
        refunds: r.refunds.toFixed(4),
        events: Number(r.events),
        orders: Number(r.orders),
        buyers: Number(r.buyers),
      },
    ]),
  )
}

/** Every byte of every row, so that a row that was merely written again shows. */
async function fingerprint(store: Store): Promise<unknown> {
  return store.prisma.$queryRawUnsafe(
    `SELECT count(*)::int AS rows, md5(string_agg(w::text, '|' ORDER BY view, start_at, key)) AS md5 FROM window_row w`,
  )
}

const importInto = (server: TestServer) =>
  tidemark(['import', STREAM, '--url', server.url], { TIDEMARK_KEY: server.key })

if (!acceptancePresent) console.log(ABSENT)

const DATABASES = {
  'a Postgres of its own': async () => {
    const database = await freshDatabase()
    return { database, close: () => database.drop() }
  },
  'the embedded Postgres': async () => {
    const bench = new EmbeddedBench()
    return { database: { dataDir: bench.root }, close: () => bench.clear() }
  },
}

describe.skipIf(!acceptancePresent).each(Object.entries(DATABASES))(
  '25,943 real orders through the API of the running server, on %s',
  (_, openDatabase) => {
    const open: { close(): Promise<unknown> }[] = []
    afterEach(async () => {
      for (const one of open.splice(0).reverse()) await one.close()
    })

    async function setUp() {
      const { database, close } = await openDatabase()
      open.push({ close })
      const start = async () => {
        const server = await startTestServer({ database, spec })
        const store = createStore(server.databaseUrl)
        open.push({ close: () => server.stop() }, store)
        return { server, store }
      }
      return { start }
    }

    it('rows are the truth, and a second import changes no row', async () => {
      const { start } = await setUp()
      const { server, store } = await start()
      const first = await importInto(server)
      expect(first, first.stderr).toMatchObject({ code: 0 })
      expect(first.stdout).toContain('25943 events sent: 25943 accepted, 0 quarantined')
      await settled(server)
      expect(await storedRows(store)).toEqual(truth())
      const before = await fingerprint(store)
      const second = await importInto(server)
      expect(second.stdout).toContain('25943 events sent')
      await settled(server)
      expect(await fingerprint(store)).toEqual(before)
      expect(await storedRows(store)).toEqual(truth())
      expect(await store.prisma.pipelineState.findFirst()).toMatchObject({
        inTime: 25_943n,
        duplicate: 25_943n,
      })
    })

    it('kill -9 of the server in the middle, start again, import again: the truth', async () => {
      const { start } = await setUp()
      const { server: doomed, store: before } = await start()
      const importer = spawn(
        process.execPath,
        [...TIDEMARK, 'import', STREAM, '--url', doomed.url, '--batch', '50'],
        { cwd: ROOT, env: { ...process.env, TIDEMARK_KEY: doomed.key }, stdio: 'ignore' },
      )
      for (let journaled = 0; journaled < 150; ) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        journaled = await before.prisma.journal.count()
      }
      await doomed.kill()
      importer.kill('SIGKILL')
      const kept = await before.prisma.journal.aggregate({ _sum: { eventCount: true } })
      expect(kept._sum.eventCount ?? 0).toBeGreaterThan(1_000)
      expect(kept._sum.eventCount ?? 0).toBeLessThan(25_943)
      const { server, store } = await start()
      const again = await importInto(server)
      expect(again, again.stderr).toMatchObject({ code: 0 })
      await settled(server)
      expect(await storedRows(store)).toEqual(truth())
      expect(await store.prisma.pipelineState.findFirst()).toMatchObject({ inTime: 25_943n })
    })
  },
)
