import { JournalDamaged } from '../../journal/port'
import { toRecord } from '../../journal/rows'
import { type ReadRow, readEnd, readFirst, readRows } from '../../journal/table'
import { startProgress } from '../progress'
import { withStore } from '../withStore'

const AT_ONCE = 64

/** Reads the whole journal and names each damaged record on stdout. True when there is none that is not passed over. */
export async function checkJournal(): Promise<boolean> {
  return withStore(async (store) => {
    const first = (await readFirst(store)) ?? 1
    const end = (await readEnd(store))?.position ?? 0
    const bar = startProgress('journal')
    let [at, good] = [first - 1, true]
    for (let rows = await readRows(store, at, AT_ONCE); rows.length > 0; ) {
      for (const row of rows) {
        for (const fault of faultsOf(row, at)) {
          good = false
          process.stdout.write(`${fault}\n`)
        }
        at = row.position
      }
      bar.update(at - first + 1, end - first + 1)
      rows = await readRows(store, at, AT_ONCE)
    }
    bar.stop()
    process.stderr.write(good ? `Positions ${first} to ${end}: none is damaged.\n` : WHAT_TO_DO)
    return good
  })
}

const WHAT_TO_DO =
  'Restore a backup, or let the engine pass over each with `npm run journal -- skip POSITION --reason "…"`.\n'

function faultsOf(row: ReadRow, after: number): string[] {
  const fault = faultOf(row)
  return [
    ...(row.position === after + 1 ? [] : [`positions ${after + 1} to ${row.position - 1} are missing`]),
    ...(fault === null ? [] : [`position ${row.position} is damaged: ${fault}`]),
  ]
}

/** null for a record that reads, or that is passed over already. */
export function faultOf(row: ReadRow): string | null {
  try {
    toRecord(row)
    return null
  } catch (error) {
    if (error instanceof JournalDamaged) return error.fault
    throw error
  }
}
