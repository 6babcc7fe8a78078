import type { Command } from 'commander'
import { names } from '../replay/options'

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('API keys of producers and operators')
  keys
    .command('create')
    .description('make a key; it is shown this once, only its hash is kept')
    .argument('<name>', 'what people call it')
    .option('--source <names>', 'sources that it may send as, separated by commas; all when not given', names)
    .option('--operator', 'it may also give commands to the engine')
    .action(async (name: string, { source, operator }: { source?: string[]; operator?: boolean }) => {
      const { printNewKey } = await import('./create')
      await printNewKey({ name, sources: source, operator })
    })
}
