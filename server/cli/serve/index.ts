import type { Command } from 'commander'

export function registerStart(program: Command): void {
  program
    .command('start')
    .description('run the server (environment variables: see README)')
    .action(async () => {
      // Loaded late: a command that needs no server starts without its modules.
      const { start } = await import('./start')
      await start()
    })
}
