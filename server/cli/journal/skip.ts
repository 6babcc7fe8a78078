import { readRows } from '../../journal/table'
import { insertSkipped } from '../../store/insertSkipped'
import { CommandProblem } from '../problem'
import { withStore } from '../withStore'
import { faultOf } from './check'

/**
 * Notes that the engine passes over the damaged record at `position`, with who and why. A server that stands at it
 * goes on within seconds. Throws CommandProblem for a record that reads: what was acknowledged stays counted.
 */
export async function skipRecord(
  position: number,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await withStore(async (store) => {
    const [row] = await readRows(store, position - 1, 1)
    if (row?.position !== position) throw new CommandProblem(`The journal has no position ${position}.`)
    if (row.skipped) throw new CommandProblem(`Position ${position} is passed over already.`)
    const fault = faultOf(row)
    if (fault === null)
      throw new CommandProblem(`Position ${position} is not damaged: it stays, and is counted.`)
    await insertSkipped(store, { position, by, reason, fault })
    process.stderr.write(
      `Position ${position} is passed over from now on. Have the producers of that time send again: ids make it harmless.\n`,
    )
  })
}
