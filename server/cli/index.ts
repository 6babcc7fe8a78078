import { Command } from 'commander'
import { CommandProblem } from './problem'
import { registerReplay } from './replay'

const program = new Command('tidemark')
  .description('Live order GMV that a business can trust.')
  .showHelpAfterError()
registerReplay(program)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommandProblem)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
