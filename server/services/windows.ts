import { readWindows } from '../store/readWindows'
import type { WindowsInput, WindowsPage } from './port'
import type { ReadDeps } from './readDeps'
import { viewOf } from './views'
import { MOST_ROWS, safeInstant, tooManyRows, windowsWhere } from './windowsWhere'

/**
 * Rows of one view as of one committed position. Throws AppError `not_found` for an unknown view, `bad_request` for
 * a dimension that the view does not have or a range that holds too many rows.
 */
export async function windows({ store, spec }: ReadDeps, input: WindowsInput): Promise<WindowsPage> {
  const view = viewOf(spec(), input.view)
  const page = await readWindows(store, {
    ...windowsWhere(view, input),
    superseded: input.superseded,
    since: input.since === undefined ? undefined : safeInstant(input.since),
    limit: MOST_ROWS + 1,
  })
  if (page.windows.length > MOST_ROWS) throw tooManyRows(view.id)
  return { view: view.id, ...page }
}
