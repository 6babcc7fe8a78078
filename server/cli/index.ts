import { Command } from 'commander'
import { StartupError } from '../platform/startupError'
import { registerAudit } from './audit'
import { registerBackup } from './backup'
import { registerDemo } from './demo'
import { registerDoctor } from './doctor'
import { registerErase } from './erase'
import { registerImport } from './import'
import { registerJournal } from './journal'
import { registerKeys } from './keys'
import { registerMigrate } from './migrate'
import { CommandProblem } from './problem'
import { registerReplay } from './replay'
import { registerStart } from './serve'

const program = new Command('tidemark')
  .description('Live order GMV that a business can trust.')
  .showHelpAfterError()
const commands = [
  registerDemo,
  registerStart,
  registerKeys,
  registerReplay,
  registerImport,
  registerJournal,
  registerDoctor,
  registerMigrate,
  registerAudit,
  registerBackup,
  registerErase,
]
for (const register of commands) register(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommandProblem) fail(error.message)
  else if (error instanceof StartupError) fail(error.text)
  else throw error
}

/** Said to the person at the terminal; what was opened meanwhile must not keep the process alive. */
function fail(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
