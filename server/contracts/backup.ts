import { z } from 'zod'

export const BACKUP_FORMAT = 'tidemark-backup'
/** Version of the layout of the file; one of a later version is refused. */
export const BACKUP_VERSION = 1

/** What a backup file begins with. */
export const BackupHeader = z.object({
  format: z.literal(BACKUP_FORMAT),
  version: z.number().int(),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  postgres: z.string(),
  /** Applied migrations, in order: the schema that its rows are of. */
  migrations: z.array(z.string()),
})
export type BackupHeader = z.infer<typeof BackupHeader>

/** A table of the file: what its rows hold, and afterwards how many there were. */
export const BackupTable = z.object({ name: z.string(), columns: z.array(z.string()) })
export type BackupTable = z.infer<typeof BackupTable>

export const TableEnd = z.object({ rows: z.number().int(), bytes: z.number().int(), sha256: z.string() })
export type TableEnd = z.infer<typeof TableEnd>

/** What it ends with: without it the file is cut off. */
export const BackupManifest = z.object({
  tables: z.array(TableEnd.extend({ name: z.string() })),
  /** Of everything before the manifest. */
  sha256: z.string(),
})
export type BackupManifest = z.infer<typeof BackupManifest>
