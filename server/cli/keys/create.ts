import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { AppError } from '../../platform/errors'
import { type CreateKeyInput, createKey } from '../../services/keys/createKey'
import { createStore } from '../../store/client'
import { migrate } from '../../store/migrate'
import { CommandProblem } from '../problem'

/** Makes a key in the database of this environment and prints it: the key alone on stdout, so that a script can take it. */
export async function printNewKey(input: CreateKeyInput): Promise<void> {
  const database = await openDatabase(readEnv())
  const store = createStore(database.url)
  try {
    await migrate(database.url)
    const created = await createKey(store, input)
    const scope = created.sources.length > 0 ? created.sources.join(', ') : 'every source'
    const right = created.operator ? ' and for commands' : ''
    process.stderr.write(`Key "${created.name}" for ${scope}${right}. Keep it: it is not shown again.\n`)
    process.stdout.write(`${created.key}\n`)
  } catch (error) {
    if (error instanceof AppError) throw new CommandProblem(error.message)
    throw error
  } finally {
    await store.close()
    await database.close()
  }
}
