import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { placeOf } from '@/server/platform/embedded/place'
import { findPostmaster, stopPostmaster } from '@/server/platform/embedded/postmaster'

/** What holdEmbedded.ts prints. */
export interface Held {
  readonly url: string
  readonly origin: string
  readonly pid: number
  readonly process: ChildProcess
}

/** A data folder of one test, and the processes that hold a Postgres in it. */
export class EmbeddedBench {
  /** With a space in its name: nothing on the way may go through a shell. */
  readonly root: string
  readonly #folder: string
  readonly #holders: ChildProcess[] = []

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'tidemark-embedded-'))
    // Made for its owner only; the user that Postgres runs as has to enter it.
    chmodSync(this.#folder, 0o755)
    this.root = join(this.#folder, 'data of a test')
  }

  get place() {
    return placeOf('', null, this.root)
  }

  /** A process that holds the Postgres of this folder, as the server does. */
  async hold(as?: { uid: number; gid: number }): Promise<Held> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/holdEmbedded.ts', this.root], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...as,
    })
    this.#holders.push(child)
    if (!child.stdout) throw new Error('no stdout')
    for await (const line of createInterface({ input: child.stdout })) {
      return { ...JSON.parse(line), process: child }
    }
    throw new Error('the holder ended before it had a Postgres')
  }

  /** Leaves no process and no folder behind, however the test went. */
  async clear(): Promise<void> {
    for (const holder of this.#holders) if (holder.exitCode === null) await end(holder, 'SIGKILL')
    const running = findPostmaster(this.place)
    if (running) await stopPostmaster(running.pid)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Ends a process and resolves with its exit code (null where a signal ended it). */
export function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  child.kill(signal)
  return ended
}
