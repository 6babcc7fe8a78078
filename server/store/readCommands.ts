import type { Command } from '../contracts/command'
import type { CommandDone } from '../contracts/flush'
import type { Store } from './client'
import { numberOrNull } from './columns'

/** Commands and what came of them, newest first. */
export async function readCommands({ prisma }: Store, limit: number): Promise<CommandDone[]> {
  const rows = await prisma.commandLog.findMany({ orderBy: { position: 'desc' }, take: limit })
  return rows.map((row) => {
    // Written as it was given, after its check at the edge; a later version shows it as it was.
    const command = row.command as Command
    return {
      position: Number(row.position),
      at: Number(row.at),
      command,
      order: { by: row.by, reason: row.reason },
      outcome: {
        kind: command.kind,
        refused: row.refused,
        changes: row.changes,
        watermarkBefore: numberOrNull(row.watermarkBefore),
        watermarkAfter: numberOrNull(row.watermarkAfter),
      },
    }
  })
}
