import type { Command } from 'commander'

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and the database, and say how to mend what is wrong')
    .action(async () => {
      const { doctor } = await import('./doctor')
      process.exit((await doctor()) ? 0 : 1)
    })
}
