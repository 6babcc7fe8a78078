import { StartupError } from '../platform/startupError'
import { lockEngine } from './engineLock'

/**
 * Runs `work` while no server runs on the database, and none can start. Throws StartupError where one does.
 * @param what the command, as a person knows it
 */
export async function whileEngineStopped<T>(url: string, what: string, work: () => Promise<T>): Promise<T> {
  const unlock = await lockEngine(url).catch((cause: unknown) => {
    if (!(cause instanceof StartupError)) throw cause
    throw new StartupError(
      `a Tidemark runs on this database, and ${what} must have it alone`,
      'Stop that server (Ctrl+C, or SIGTERM), and try again.',
      { cause },
    )
  })
  try {
    return await work()
  } finally {
    await unlock()
  }
}
