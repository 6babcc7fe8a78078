import type { Command } from 'commander'

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('write the whole database to one file, as of one moment; works beside a server')
    .argument('<file>', 'where to; it must not be there yet')
    .action(async (file: string) => {
      const { backup } = await import('./backup')
      await backup(file)
    })
  program
    .command('restore')
    .description('put a backup into an empty database; of whichever Postgres it was taken')
    .argument('<file>', 'what backup wrote')
    .action(async (file: string) => {
      const { restore } = await import('./restore')
      await restore(file)
      // Connections of the migrations would keep the process for ten idle seconds.
      process.exit(0)
    })
}
