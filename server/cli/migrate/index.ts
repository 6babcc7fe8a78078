import type { Command } from 'commander'

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the schema of the database to this version; a start does it, too')
    .option('--rolled-back <name>', 'first: nothing of this failed migration stands in the database')
    .option('--applied <name>', 'first: this failed migration was finished by hand')
    .action(async ({ rolledBack, applied }: { rolledBack?: string; applied?: string }) => {
      const { migrateHere } = await import('./migrate')
      await migrateHere({ rolledBack, applied })
    })
}
