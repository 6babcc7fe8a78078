import type { Command } from 'commander'
import { CommandProblem } from '../problem'
import { count } from '../replay/options'
import { Import } from './import'

interface Options {
  readonly url: string
  readonly key?: string
  readonly batch: number
  readonly skipBad: boolean
}

export function registerImport(program: Command): void {
  program
    .command('import')
    .description('send a file of events through the API of a running server; a second run changes nothing')
    .argument(
      '<file>',
      'CSV or NDJSON, optionally .gz; columns that are no field of an event become dimensions',
    )
    .option('--url <url>', 'address of the server', 'http://127.0.0.1:3000')
    .option('--key <key>', 'API key; better given as TIDEMARK_KEY, which a process list does not show')
    .option('--batch <n>', 'events of one request, at most 5000', count, 500)
    .option('--skip-bad', 'go on after bad lines and count them', false)
    .action((file: string, options: Options) => {
      const key = options.key ?? process.env.TIDEMARK_KEY
      if (!key) {
        throw new CommandProblem(
          'An API key is needed: set TIDEMARK_KEY. Make one with "npm run keys -- create NAME".',
        )
      }
      return new Import(file, { url: options.url, key }, options).run()
    })
}
