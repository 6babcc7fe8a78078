import { statSync } from 'node:fs'
import { openDatabase } from '../../platform/database'
import { readEnv } from '../../platform/env'
import { writeBackup } from '../../store/backup/writeBackup'
import { startProgress } from '../progress'
import { writeGzip } from './file'

/** Writes the database of this environment to a file, beside a running server or without one. */
export async function backup(file: string): Promise<void> {
  const database = await openDatabase(readEnv())
  const progress = startProgress(`backup ${file}`)
  const takenAt = new Date().toISOString()
  try {
    const { tables } = await writeGzip(file, (write) =>
      writeBackup(database.url, { takenAt, onProgress: (...how) => progress.update(...how) }, write),
    )
    progress.stop()
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(
      `${file}: ${rows} rows of ${tables.length} tables, ${statSync(file).size} bytes, as of ${takenAt}\n` +
        'It holds every order, and the hashes of API keys: keep it as you keep the database.\n',
    )
  } finally {
    progress.stop()
    await database.close()
  }
}
