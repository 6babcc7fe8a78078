import { AppError } from '../../platform/errors'
import { type CreateKeyInput, createKey } from '../../services/keys/createKey'
import { CommandProblem } from '../problem'
import { withStore } from '../withStore'

/** Makes a key in the database of this environment and prints it: the key alone on stdout, so that a script can take it. */
export async function printNewKey(input: CreateKeyInput): Promise<void> {
  try {
    await withStore(async (store) => {
      const created = await createKey(store, input)
      const scope = created.sources.length > 0 ? created.sources.join(', ') : 'every source'
      const right = created.operator ? ' and for commands' : ''
      process.stderr.write(`Key "${created.name}" for ${scope}${right}. Keep it: it is not shown again.\n`)
      process.stdout.write(`${created.key}\n`)
    })
  } catch (error) {
    if (error instanceof AppError) throw new CommandProblem(error.message)
    throw error
  }
}
