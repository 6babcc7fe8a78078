import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { BACKUP_VERSION, BackupHeader, BackupManifest, BackupTable, TableEnd } from '../../contracts/backup'
import { BackupDamaged, type Frame, framesOf, frame as toFrame } from './frames'

/** What is done with the parts of a backup, in the order in which they come; each is waited for. */
export interface BackupReader {
  header?(header: BackupHeader): Promise<void>
  table?(table: BackupTable): Promise<void>
  data?(chunk: Buffer): Promise<void>
  /** All data of the table has come, and is what was written. */
  end?(table: BackupTable, end: TableEnd): Promise<void>
}

/**
 * Reads a backup (its frames, unpacked) and checks it: order, row data and checksums. Throws BackupDamaged where it is
 * not what was written, and for one of a later layout.
 */
export async function readBackup(
  stream: AsyncIterable<Buffer>,
  reader: BackupReader,
): Promise<BackupManifest> {
  const reading = new Reading(reader)
  for await (const one of framesOf(stream)) await reading.take(one)
  return reading.manifest()
}

class Reading {
  readonly #reader: BackupReader
  readonly #hash = createHash('sha256')
  #headed = false
  #table: BackupTable | null = null
  #tableHash = createHash('sha256')
  #manifest: BackupManifest | null = null

  constructor(reader: BackupReader) {
    this.#reader = reader
  }

  async take({ kind, body }: Frame): Promise<void> {
    if (this.#manifest) throw new BackupDamaged('something follows its end')
    if (!this.#headed && kind !== 'H') throw new BackupDamaged('it does not begin as a backup does')
    if (kind === 'M') {
      this.#manifest = parsed(BackupManifest, body)
      if (this.#manifest.sha256 !== this.#hash.digest('hex')) throw changed('the file')
      return
    }
    this.#hash.update(toFrame(kind, body))
    if (kind === 'H') await this.#header(parsed(BackupHeader, body))
    else if (kind === 'T') await this.#begin(parsed(BackupTable, body))
    else if (kind === 'D') await this.#data(body)
    else await this.#end(parsed(TableEnd, body))
  }

  manifest(): BackupManifest {
    if (!this.#manifest) throw new BackupDamaged('its end is missing')
    return this.#manifest
  }

  async #header(header: BackupHeader): Promise<void> {
    if (header.version > BACKUP_VERSION) {
      throw new BackupDamaged(
        `it has layout ${header.version}, this version of Tidemark reads up to ${BACKUP_VERSION}: a newer one wrote it`,
      )
    }
    this.#headed = true
    await this.#reader.header?.(header)
  }

  async #begin(table: BackupTable): Promise<void> {
    this.#table = table
    this.#tableHash = createHash('sha256')
    await this.#reader.table?.(table)
  }

  async #data(chunk: Buffer): Promise<void> {
    this.#tableHash.update(chunk)
    await this.#reader.data?.(chunk)
  }

  async #end(end: TableEnd): Promise<void> {
    const table = this.#table
    if (!table) throw new BackupDamaged('a table ends that did not begin')
    if (end.sha256 !== this.#tableHash.digest('hex')) throw changed(`table ${table.name}`)
    this.#table = null
    await this.#reader.end?.(table, end)
  }
}

function changed(what: string): BackupDamaged {
  return new BackupDamaged(`${what} is not what was written: its checksum does not match`)
}

function parsed<T>(schema: z.ZodType<T>, body: Buffer): T {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch {
    throw new BackupDamaged('it holds what no backup holds')
  }
}
