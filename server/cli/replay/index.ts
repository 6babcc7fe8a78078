import type { Command } from 'commander'
import { count, duration, names, type ReplayOptions } from './options'
import { Replay } from './replay'

export function registerReplay(program: Command): void {
  program
    .command('replay')
    .description('run a file of events through the parser and the engine, without a database')
    .argument('<file>', 'CSV or NDJSON, optionally .gz, with a receivedAt column (epoch ms)')
    .requiredOption('--window <duration>', 'size of the windows, such as 1h', duration)
    .option('--offset <duration>', 'offset of the windows', duration, 0)
    .requiredOption('--bound <duration>', 'out-of-orderness bound B', duration)
    .requiredOption('--lateness <duration>', 'allowed lateness L', duration)
    .option('--idle <duration>', 'idle timeout of the sources; off when not given', duration)
    .requiredOption('--key <columns>', 'dimensions of the key, separated by commas', names)
    .option('--per-event', 'each late event makes its own revision, as in Flink', false)
    .option('--batch <n>', 'events of one journal record', count, 500)
    .option('--out <file>', 'write the windows as JSON (.gz packs it)')
    .option('--skip-bad', 'go on after bad lines and count them', false)
    .action((file: string, options: ReplayOptions) => new Replay(file, options).run())
}
