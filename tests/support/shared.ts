import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The acceptance streams stand beside the project, not in it; a clone without them says so and goes on. */
const FOLDER = fileURLToPath(new URL('../../../shared/acceptance/', import.meta.url))

export const acceptancePresent = existsSync(`${FOLDER}compare.mjs`)

export const ABSENT = `no acceptance streams at ${FOLDER}: these tests need them and were skipped`

export function acceptanceFile(name: string): string {
  return `${FOLDER}${name}`
}

/** The streams and what the engine must make of them (acceptance/README.md). */
export const STREAMS = [
  { expected: 'orders-1h-b5m-l30m', stream: 'online-retail-orders', idle: [] },
  { expected: 'lines-1h-b5m-l30m', stream: 'online-retail-lines', idle: [] },
  { expected: 'lines-1h-b5m-l30m-idle15m', stream: 'online-retail-lines', idle: ['--idle', '15m'] },
] as const
