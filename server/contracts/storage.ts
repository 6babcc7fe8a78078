/** Why nothing more is taken: the disk of the database, or the size that it may have. */
export interface StorageFull {
  readonly what: 'disk' | 'database' | 'postgres'
  /** What is full and how to mend it, in words. */
  readonly message: string
}

export interface TableSize {
  readonly name: string
  /** With its indexes and what is stored beside it. */
  readonly bytes: number
}

/** Room for the database, bytes; null where it is not known. */
export interface StorageStatus {
  /** Free on the file system of the embedded Postgres, and its size; not known of a Postgres of your own. */
  readonly freeBytes: number | null
  readonly diskBytes: number | null
  readonly databaseBytes: number | null
  /** TIDEMARK_MAX_DATABASE */
  readonly maxBytes: number | null
  /** Largest first. */
  readonly tables: readonly TableSize[]
  /** Late events that were written off because the journal no longer held them, ever. */
  readonly lateWrittenOff: number
  /** null: there is room. */
  readonly full: StorageFull | null
}
