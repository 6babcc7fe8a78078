import { readEnv } from '../../platform/env'
import { createLogger, type Logger } from '../../platform/logger'
import { PROJECT_ROOT } from '../../platform/projectRoot'
import { Shutdown } from '../../platform/shutdown'
import { createKey } from '../../services/keys/createKey'
import { revokeApiKeysNamed } from '../../store/apiKeys'
import { startProgress } from '../progress'
import { ensureBuilt } from '../serve/build'
import { readSpec } from '../serve/specFile'
import { startOrClose } from '../serve/startOrClose'
import { DemoTraffic } from './generator'
import { demoSpec } from './spec'

/** Orders of this time before now are sent first, so that the chart is full when the page opens. */
const HISTORY = 90 * 60_000
const KEY_NAME = 'demo traffic'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Everything in one process: database, server, pages, and the orders of a sale day through the real API. */
export async function demo(seed: number): Promise<void> {
  const env = { ...readEnv(), LOG_LEVEL: readEnv({ LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' }).LOG_LEVEL }
  const logger = createLogger(env)
  const pipeline = env.TIDEMARK_SPEC ? readSpec(env.TIDEMARK_SPEC) : { spec: demoSpec(), explicit: false }
  await ensureBuilt(PROJECT_ROOT, say)
  const shutdown = new Shutdown({ logger })
  shutdown.listen()
  say('Starting the database and the server …')
  const { url, store, runner } = await startOrClose({ env, pipeline, logger, shutdown })
  // A key for each run: what an earlier one printed in a terminal is worth nothing any more.
  await revokeApiKeysNamed(store, KEY_NAME, new Date())
  const { key } = await createKey(store, { name: KEY_NAME })
  const traffic = new DemoTraffic({ url, key }, seed)
  shutdown.add('demo traffic', () => traffic.stop())
  say(`\n  Dashboard  ${url}/\n  Console    ${url}/console\n`)
  say('  Nobody but this machine can open them; there is no sign-in yet.')
  say(`  Your own orders, to the same API:\n\n${curl(url, key)}\n`)
  await fillUp(traffic, runner.status().watermark)
  say('Live. Ctrl+C stops it; the data stays.')
  await traffic.live().catch((err: unknown) => stopOn(err, logger, shutdown))
}

/** Sends what happened since the watermark, at most 90 minutes. */
async function fillUp(traffic: DemoTraffic, watermark: number | null): Promise<void> {
  const to = Math.floor(Date.now() / 1000) * 1000
  const progress = startProgress('orders of the last 90 minutes')
  await traffic.catchUp(Math.max(to - HISTORY, watermark ?? 0), to, (done, total) =>
    progress.update(done, total),
  )
  progress.stop()
}

function stopOn(err: unknown, logger: Logger, shutdown: Shutdown): Promise<void> {
  logger.error({ err }, 'the demo traffic ended')
  return shutdown.run('demo traffic ended', 1)
}

function curl(url: string, key: string): string {
  const event = `{"eventId":"my-1","orderId":"my-1","amount":"129.90","currency":"CNY","eventTime":'$(date +%s)'000,"userId":"me","dimensions":{"region":"east","channel":"web"}}`
  return `    curl ${url}/api/ingest/web -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\\n      -d '[${event}]'`
}
