import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own, so small that a test can fill it. */
export interface SmallDisk {
  readonly folder: string
  /** Takes room away: a file of so many MiB. */
  fill(mebibytes: number): void
  /** Takes all of it, to the last byte. */
  fillUp(): void
  /** Gives that room back. */
  empty(): void
  unmount(): void
}

/** Why no small disk can be had here; null: it can. Mounting needs root, and a container may forbid it to root, too. */
export function noSmallDisk(): string | null {
  try {
    smallDisk(1).unmount()
    return null
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : String(error)
    return `a small file system cannot be mounted here (${why}), so a full disk cannot be had: run the tests as root on Linux`
  }
}

/** Mounts a tmpfs of so many MiB below the temporary folder; every user may enter and write. */
export function smallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=1777`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  chmodSync(folder, 0o1777)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: (size) => writeFileSync(filler, Buffer.alloc(size * 2 ** 20)),
    fillUp: () => fillUp(filler),
    empty: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

function fillUp(filler: string): void {
  const file = openSync(filler, 'w')
  try {
    for (const size of [2 ** 20, 4096, 1]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
