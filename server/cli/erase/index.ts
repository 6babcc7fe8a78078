import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { names } from '../replay/options'

interface Options {
  readonly user: string
  readonly source?: string[]
  readonly by: string
  readonly reason: string
}

export function registerErase(program: Command): void {
  program
    .command('erase')
    .description('put a pseudonym in the place of a user id, everywhere and for good; no number changes')
    .requiredOption('--user <id>', 'the userId as it was sent')
    .option('--source <names>', 'only in what these sources sent, separated by commas', names)
    .option('--by <name>', 'who does it, for the record of erasures', userInfo().username)
    .option('--reason <text>', 'why, for the record of erasures; not the id', '')
    .action(async ({ user, source, by, reason }: Options) => {
      const { runErase } = await import('./erase')
      await runErase({ user, sources: source ?? [], by, reason })
      process.exit(0)
    })
}
