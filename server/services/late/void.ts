import type { CommandDone } from '../../contracts/flush'
import { type EventPlace, idName, MOST_EVENTS_A_COMMAND } from '../../contracts/lateStore'
import { AppError } from '../../platform/errors'
import { reading } from '../../store/databaseAway'
import { operatorOnly } from '../operatorOnly'
import type { Asking, LateDeps, Selection } from './deps'
import { listed } from './resolve'

/**
 * Takes counted events out of the figures, undoably: those that are named, or all of a source's stretch of event time,
 * or of journal positions. The command says exactly which they were. Throws AppError `forbidden`; `not_found` where
 * nothing that is counted is selected; `too_many_events` above 5,000, and nothing is done then.
 */
export async function voidEvents(
  { store, runner, past }: LateDeps,
  { key, reason, selection }: Asking & { readonly selection: Selection },
): Promise<CommandDone> {
  await operatorOnly(store, key)
  const found = await reading(past.counted(selection, MOST_EVENTS_A_COMMAND + 1))
  if (found.length > MOST_EVENTS_A_COMMAND) throw tooMany()
  checkFound(selection, found)
  return runner.command({ kind: 'void', events: [...found] }, { by: key.name, reason })
}

function checkFound(selection: Selection, found: readonly EventPlace[]): void {
  const known = new Set(found.map(idName))
  const missing = 'events' in selection ? selection.events.filter((id) => !known.has(idName(id))) : []
  if (missing.length > 0) {
    throw new AppError('not_found', `The journal holds no counted ${listed(missing)}. Nothing was voided.`)
  }
  if (found.length > 0) return
  throw new AppError('not_found', 'Nothing that is counted lies in what was selected. Nothing was voided.')
}

function tooMany(): AppError {
  const most = MOST_EVENTS_A_COMMAND.toLocaleString('en')
  return new AppError(
    'too_many_events',
    `More than ${most} events are selected, the limit of one command. Nothing was voided: select a shorter stretch, and do it in several steps.`,
  )
}
