import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Place } from './place'

/** Below the ephemeral range (32768 up), where an outgoing connection of anybody may sit on it. */
const LEAST = 20_000
const MOST = 32_767
const TRIES = 50

/** The port that the cluster had last if it is free, else a free one. */
export async function choosePort(place: Place): Promise<number> {
  const last = lastPort(place)
  if (last !== null && (await isFree(last))) return last
  for (let i = 0; i < TRIES; i++) {
    const port = randomInt(LEAST, MOST + 1)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port from ${LEAST} to ${MOST} in ${TRIES} tries`)
}

export function rememberPort(place: Place, port: number): void {
  writeFileSync(place.port, `${port}\n`)
}

function lastPort(place: Place): number | null {
  try {
    const port = Number(readFileSync(place.port, 'utf8'))
    return port >= LEAST && port <= MOST ? port : null
  } catch {
    return null
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
