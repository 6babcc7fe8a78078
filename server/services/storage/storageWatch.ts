import type { StorageFull, StorageStatus } from '../../contracts/storage'
import { type DiskRoom, diskFullSays, diskRoom, inWords, isShort } from '../../platform/diskRoom'
import type { Logger } from '../../platform/logger'
import type { Store } from '../../store/client'
import { readDatabaseSize, readTableSizes } from '../../store/readSizes'
import { readLateWrittenOff } from '../../store/retention/readWrittenOff'

const LOOK_EVERY = 1_000
/** Asking for sizes has Postgres look at its files; a fast stream fills about a GiB in this time, ms. */
const SIZES_EVERY = 15_000
const TABLES_EVERY = 60_000
/** Postgres does not give back what is deleted at once; a little is enough to go on. */
const GO_ON_BELOW = 0.95

export interface StorageDeps {
  readonly store: Store
  readonly logger: Logger
  /** Folder of the embedded Postgres; null where the database is somebody else's. */
  readonly folder: string | null
  /** Free bytes under which nothing is taken; unset: by the size of the disk. */
  readonly stop?: number
  /** Bytes that the database may have; unset: any. */
  readonly most?: number
  /** Postgres itself has just said that its disk is full. */
  readonly postgresFull: () => boolean
  /** ms; another rhythm for tests. */
  readonly lookEvery?: number
  readonly sizesEvery?: number
}

/**
 * Watches the room that the database has, and says when nothing more should be taken. *Room* → the disk has less than
 * the threshold, or the database is larger than it may be → *full*, until there is half as much again (the disk), or
 * a twentieth less (the database). Nothing of it is kept: a start looks anew.
 *
 * Of a Postgres of one's own the free space is not known: there its own error says so (`postgresFull`). That is shown
 * and refuses nothing here, since only the next attempt to write can find out that there is room again.
 */
export class StorageWatch {
  readonly #deps: StorageDeps
  #room: DiskRoom | null = null
  #diskShort = false
  #overCap = false
  #databaseBytes: number | null = null
  #tables: StorageStatus['tables'] = []
  #lateWrittenOff = 0
  #sizesAt = Number.NEGATIVE_INFINITY
  #tablesAt = Number.NEGATIVE_INFINITY
  #looking = false
  readonly #timer: NodeJS.Timeout

  private constructor(deps: StorageDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.look(), deps.lookEvery ?? LOOK_EVERY).unref()
  }

  /** Looks once, then each second. */
  static async start(deps: StorageDeps): Promise<StorageWatch> {
    const watch = new StorageWatch(deps)
    await watch.look()
    return watch
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Why the next request cannot be taken; null: there is room. Cheap, for every request asks. */
  refuses(): StorageFull | null {
    const { folder, stop, most } = this.#deps
    if (this.#diskShort && this.#room && folder) {
      return { what: 'disk', message: diskFullSays(folder, this.#room, stop) }
    }
    if (this.#overCap && most !== undefined)
      return { what: 'database', message: capSays(this.#databaseBytes, most) }
    return null
  }

  status(): StorageStatus {
    return {
      freeBytes: this.#room?.free ?? null,
      diskBytes: this.#room?.total ?? null,
      databaseBytes: this.#databaseBytes,
      maxBytes: this.#deps.most ?? null,
      tables: this.#tables,
      lateWrittenOff: this.#lateWrittenOff,
      full: this.refuses() ?? (this.#deps.postgresFull() ? POSTGRES_FULL : null),
    }
  }

  /** Never rejects: what cannot be measured stays as it was. */
  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    const before = this.refuses()
    try {
      await this.#measureDisk()
      await this.#measureDatabase()
    } catch (err) {
      this.#deps.logger.debug({ err }, 'the room of the database could not be measured')
    } finally {
      this.#looking = false
    }
    this.#sayChange(before, this.refuses())
  }

  async #measureDisk(): Promise<void> {
    const { folder, stop } = this.#deps
    if (folder === null) return
    this.#room = await diskRoom(folder)
    this.#diskShort = isShort(this.#room, stop, this.#diskShort)
  }

  async #measureDatabase(): Promise<void> {
    const { store, most, sizesEvery = SIZES_EVERY } = this.#deps
    const now = performance.now()
    if (now - this.#sizesAt >= sizesEvery) {
      this.#sizesAt = now
      this.#databaseBytes = await readDatabaseSize(store)
      const limit = most ?? Number.POSITIVE_INFINITY
      this.#overCap = this.#databaseBytes >= (this.#overCap ? limit * GO_ON_BELOW : limit)
    }
    if (now - this.#tablesAt < TABLES_EVERY) return
    this.#tablesAt = now
    this.#tables = await readTableSizes(store)
    this.#lateWrittenOff = await readLateWrittenOff(store)
  }

  #sayChange(before: StorageFull | null, after: StorageFull | null): void {
    if (after && before?.what !== after.what) this.#deps.logger.error({ full: after.what }, after.message)
    else if (before && !after) this.#deps.logger.info('there is room again: orders are taken')
  }
}

const POSTGRES_FULL: StorageFull = {
  what: 'postgres',
  message:
    'Postgres says that its disk is full, so orders are refused. Make room on the disk of the database; orders are taken again by themselves.',
}

function capSays(bytes: number | null, most: number): string {
  return (
    `The database has ${inWords(bytes ?? most)} of the ${inWords(most)} that TIDEMARK_MAX_DATABASE allows, so no orders are taken. ` +
    'Raise it, or keep less (TIDEMARK_KEEP_JOURNAL, TIDEMARK_KEEP_ROWS) and have Postgres give the room back (VACUUM FULL).'
  )
}
