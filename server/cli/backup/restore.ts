import type { BackupHeader } from '../../contracts/backup'
import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { BackupDamaged } from '../../store/backup/frames'
import { loadBackup } from '../../store/backup/loadBackup'
import { readBackup } from '../../store/backup/readBackup'
import { migrateTo, requireEmpty, requireKnown } from '../../store/backup/target'
import { whileEngineStopped } from '../../store/engineStopped'
import { migrate } from '../../store/migrate'
import { CommandProblem } from '../problem'
import { type Progress, startProgress } from '../progress'
import { readGzip } from './file'

/** Puts a backup into the database of this environment, which must be empty. */
export async function restore(file: string): Promise<void> {
  const progress = startProgress(`restore ${file}`)
  try {
    // The whole file, before anything is touched.
    const header = await check(file, progress)
    requireKnown(header.migrations)
    const database = await openDatabase(readEnv())
    try {
      await whileEngineStopped(database.url, 'a restore', () => load(file, header, database.url, progress))
    } finally {
      await database.close()
    }
    progress.stop()
    process.stdout.write(`Restored ${file}, taken ${header.takenAt} from Postgres ${header.postgres}.\n`)
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error
    throw new CommandProblem(
      `${file} is no backup that can be restored: ${error.message}. Nothing was changed.`,
    )
  } finally {
    progress.stop()
  }
}

async function check(file: string, progress: Progress): Promise<BackupHeader> {
  const found: BackupHeader[] = []
  const bytes = readGzip(file, (read, size) => progress.update(read, 2 * size, 'checking'))
  await readBackup(bytes, {
    header: async (header) => {
      found.push(header)
    },
  })
  const [header] = found
  if (!header) throw new BackupDamaged('it has no header')
  return header
}

async function load(file: string, header: BackupHeader, url: string, progress: Progress): Promise<void> {
  await requireEmpty(url, header.migrations)
  await migrateTo(url, header.migrations)
  await loadBackup(url, (reader) =>
    readBackup(
      readGzip(file, (read, size) => progress.update(size + read, 2 * size, 'loading')),
      reader,
    ),
  )
  await migrate(url)
}
