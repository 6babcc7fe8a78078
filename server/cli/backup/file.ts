import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupDamaged } from '../../store/backup/frames'
import { CommandProblem } from '../problem'

/** Journal bodies hardly get smaller by more effort, and hex shrinks to half at the least. */
const LEVEL = 3

/**
 * Writes a gzip file in one go: `fill` gets what to write with. The file has its name only once it is whole and on
 * disk, and only its owner may read it. Throws CommandProblem when the file is there already.
 */
export async function writeGzip<T>(
  file: string,
  fill: (write: (bytes: Buffer) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (existsSync(file)) throw new CommandProblem(`${file} is there already. Give another name, or remove it.`)
  const unfinished = `${file}.unfinished`
  const gzip = createGzip({ level: LEVEL })
  const written = pipeline(gzip, createWriteStream(unfinished, { mode: 0o600, flush: true }))
  // Looked at when it is waited for; until then a full disk must not end the process.
  written.catch((error) => gzip.destroy(error as Error))
  try {
    const result = await fill(async (bytes) => {
      // `written` rejects when the disk does not take more; a stream that is gone never drains.
      if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written])
    })
    gzip.end()
    await written
    renameSync(unfinished, file)
    return result
  } catch (error) {
    gzip.destroy()
    const cause = await written.then(
      () => error,
      (failure: unknown) => (isOfFiles(failure) ? failure : error),
    )
    rmSync(unfinished, { force: true })
    if (isOfFiles(cause)) throw new CommandProblem(`${file} cannot be written: ${cause.message}`)
    throw cause
  }
}

/** The unpacked bytes of a gzip file. `onRead` hears how much of the file was read, and how large it is, bytes. */
export async function* readGzip(
  file: string,
  onRead: (read: number, size: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const size = sizeOf(file)
  const raw = createReadStream(file)
  const unpacked = createGunzip()
  const flowing = pipeline(raw, unpacked)
  flowing.catch(() => {})
  try {
    for await (const chunk of unpacked) {
      onRead(raw.bytesRead, size)
      yield chunk as Buffer
    }
  } catch (error) {
    if (isPacking(error)) throw new BackupDamaged(`it cannot be unpacked (${(error as Error).message})`)
    throw error
  } finally {
    raw.destroy()
  }
}

/** Of the file system: ENOENT, ENOSPC, EACCES … */
function isOfFiles(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

function isPacking(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch (error) {
    throw new CommandProblem(`${file} cannot be read: ${(error as Error).message}`)
  }
}
