import type { Command } from 'commander'

export function registerDemo(program: Command): void {
  program
    .command('demo')
    .description('bring up everything on the embedded Postgres, with a sale day of generated orders')
    .option('--seed <n>', 'tells the same orders again', Number)
    .action(async ({ seed }: { seed?: number }) => {
      // Loaded late: a command that needs no server starts without its modules.
      const { demo } = await import('./demo')
      await demo(seed ?? Date.now() % 2 ** 31)
    })
}
