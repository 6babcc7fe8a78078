import type { Command } from 'commander'
import { count } from '../replay/options'

export function registerAudit(program: Command): void {
  program
    .command('audit')
    .description(
      'recompute every result from the journal, compare, and list what differs; works beside a server',
    )
    .option('--limit <n>', 'differences of each kind that are listed; all are counted', count, 20)
    .addHelpText('after', '\nExit code 0: no difference. 1: differences. 2: the audit could not be made.')
    .action(async ({ limit }: { limit: number }) => {
      const { runAudit } = await import('./audit')
      process.exit(await runAudit(limit))
    })
}
