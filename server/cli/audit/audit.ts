import { differencesOf } from '../../contracts/audit'
import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { StartupError } from '../../platform/startupError'
import { audit } from '../../runner/audit/audit'
import { AuditProblem } from '../../runner/audit/problem'
import { createStore } from '../../store/client'
import { reading } from '../../store/databaseAway'
import { requireMigrated } from '../../store/migrationCheck'
import { startProgress } from '../progress'
import { reportText } from './report'

/** Audits the database of this environment and prints what came of it. Resolves with the exit code: 0, 1 or 2. */
export async function runAudit(limit: number): Promise<0 | 1 | 2> {
  try {
    return await print(limit)
  } catch (error) {
    process.stderr.write(`The audit could not be made: ${reasonOf(error)}\n`)
    return 2
  }
}

async function print(limit: number): Promise<0 | 1> {
  const database = await openDatabase(readEnv())
  const store = createStore(database.url, { applicationName: 'tidemark audit' })
  const progress = startProgress('audit')
  try {
    await requireMigrated(database.url)
    const onProgress = (position: number, to: number, events: number) =>
      progress.update(position, to, `${events} events`)
    const report = await reading(audit(store, { limit, onProgress }))
    progress.stop()
    process.stdout.write(report ? reportText(report) : 'There are no results yet: nothing to audit.\n')
    return report && differencesOf(report) > 0 ? 1 : 0
  } finally {
    progress.stop()
    await store.close()
    await database.close()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof StartupError) return error.text
  if (error instanceof AuditProblem) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
