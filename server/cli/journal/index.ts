import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'

/** A whole number from 1. Throws what commander shows beside the argument. */
function position(text: string): number {
  const n = Number(text)
  if (/^\d{1,15}$/.test(text) && n >= 1) return n
  throw new InvalidArgumentError('a journal position is a whole number from 1.')
}

export function registerJournal(program: Command): void {
  const journal = program.command('journal').description('check the journal, and pass over a damaged record')
  journal
    .command('check')
    .description('read every record and name those that are damaged; exit code 1 when there are any')
    .action(async () => {
      const { checkJournal } = await import('./check')
      process.exit((await checkJournal()) ? 0 : 1)
    })
  journal
    .command('skip')
    .description(
      'let the engine pass over a damaged record; its events are not counted, so have their producer send them again',
    )
    .argument('<position>', 'as the server names it', position)
    .requiredOption('--reason <text>', 'why, for the audit')
    .option('--by <name>', 'who, for the audit', userInfo().username)
    .action(async (at: number, { reason, by }: { reason: string; by: string }) => {
      const { skipRecord } = await import('./skip')
      await skipRecord(at, { reason, by })
    })
}
