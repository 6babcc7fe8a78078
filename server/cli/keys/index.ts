import type { Command } from 'commander'
import { names } from '../replay/options'

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('API keys of producers')
  keys
    .command('create')
    .description('make a key; it is shown this once, only its hash is kept')
    .argument('<name>', 'what people call it')
    .option('--source <names>', 'sources that it may send as, separated by commas; all when not given', names)
    .action(async (name: string, { source = [] }: { source?: string[] }) => {
      const { printNewKey } = await import('./create')
      await printNewKey(name, source)
    })
}
