import { LIMITS } from '../../contracts/limits'
import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { AuditProblem } from '../../runner/audit/problem'
import { type Erased, type EraseInput, EraseRefused, erase } from '../../runner/erase/erase'
import { createStore } from '../../store/client'
import { whileEngineStopped } from '../../store/engineStopped'
import { vacuum } from '../../store/erase/transaction'
import { requireMigrated } from '../../store/migrationCheck'
import { CommandProblem } from '../problem'
import { startProgress } from '../progress'

/** Erases a user in the database of this environment. The id is said nowhere, not even here. */
export async function runErase(input: EraseInput): Promise<void> {
  check(input)
  const database = await openDatabase(readEnv())
  try {
    await requireMigrated(database.url)
    const erased = await whileEngineStopped(database.url, 'an erasure', () => run(database.url, input))
    await vacuum(database.url)
    process.stdout.write(textOf(erased))
  } finally {
    await database.close()
  }
}

function check({ user, reason, by }: EraseInput): void {
  if (user === '' || user.length > LIMITS.idChars)
    throw new CommandProblem(`A user id has 1 to ${LIMITS.idChars} characters.`)
  if (reason.includes(user) || by.includes(user))
    throw new CommandProblem('The user id must not stand in the reason, nor in the name: both are kept.')
}

async function run(url: string, input: EraseInput): Promise<Erased> {
  const store = createStore(url, { applicationName: 'tidemark erase' })
  const progress = startProgress('erase')
  try {
    return await erase(store, input, (position, to, events) =>
      progress.update(position, to, `${events} events`),
    )
  } catch (error) {
    if (error instanceof EraseRefused || error instanceof AuditProblem)
      throw new CommandProblem(`Nothing was erased: ${error.message}`)
    throw error
  } finally {
    progress.stop()
    await store.close()
  }
}

function textOf({ records, events, rows, differences }: Erased): string {
  if (records === 0 && rows === 0)
    return 'Nothing is stored of this user. That it was looked for is recorded.\n'
  const audit =
    differences === 0
      ? 'The audit found no difference before, and none after it.'
      : `The audit found ${differences} differences before, and the same after it: see npm run audit.`
  return (
    `${events} events in ${records} journal records, and ${rows} other rows, carry a pseudonym now. ${audit}\n` +
    'Backups that were taken before still hold the id.\n'
  )
}
