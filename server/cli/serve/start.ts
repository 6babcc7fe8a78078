import { readEnv } from '../../platform/env'
import { createLogger } from '../../platform/logger'
import { isLoopback } from '../../platform/loopback'
import { PROJECT_ROOT } from '../../platform/projectRoot'
import { Shutdown } from '../../platform/shutdown'
import { ensureBuilt } from './build'
import { readSpec } from './specFile'
import { startOrClose } from './startOrClose'

/** Runs the server until a signal ends it. */
export async function start(): Promise<void> {
  const env = readEnv()
  const logger = createLogger(env)
  const pipeline = readSpec(env.TIDEMARK_SPEC)
  if (env.NODE_ENV === 'production') await ensureBuilt(PROJECT_ROOT, (text) => logger.info(text))
  const shutdown = new Shutdown({ logger })
  shutdown.listen()
  const { url } = await startOrClose({ env, pipeline, logger, shutdown })
  logger.info(`Tidemark listens on ${url}`)
  if (!isLoopback(env.HOST)) {
    logger.warn(
      'there is no sign-in yet: everybody who reaches this address sees every page. Set HOST=127.0.0.1 to keep it here',
    )
  }
}
