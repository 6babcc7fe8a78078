import { type RunningServer, type ServerOptions, startServer } from '../../main'
import { Stopping } from '../../platform/shutdown'
import { StartupError } from '../../platform/startupError'

/** Starts the server. Where that fails it says why, closes what was opened (the embedded Postgres, too) and ends with 1. */
export async function startOrClose(options: ServerOptions): Promise<RunningServer> {
  try {
    return await options.shutdown.during(() => startServer(options))
  } catch (error) {
    if (error instanceof Stopping) options.logger.info('stopped while it was starting')
    else if (error instanceof StartupError) process.stderr.write(`${error.text}\n`)
    else options.logger.fatal({ err: error }, 'Tidemark did not start')
    await options.shutdown.run('did not start', 1)
    throw error
  }
}
