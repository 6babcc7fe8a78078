import type { ViewSpec } from '../contracts/pipelineSpec'
import { AppError } from '../platform/errors'
import { readWindows } from '../store/readWindows'
import type { WindowsInput, WindowsPage } from './port'
import type { ReadDeps } from './readDeps'
import { viewOf } from './views'

/** Rows that one answer holds at most: a day of minutes with 35 keys. More is a mistake, or a job for the CSV. */
export const MOST_ROWS = 50_000

/**
 * Rows of one view as of one committed position. Throws AppError `not_found` for an unknown view, `bad_request` for
 * a dimension that the view does not have or a range that holds too many rows.
 */
export async function windows({ store, spec }: ReadDeps, input: WindowsInput): Promise<WindowsPage> {
  const view = viewOf(spec(), input.view)
  const page = await readWindows(store, {
    view: view.id,
    version: view.version,
    from: safe(input.from),
    to: safe(input.to),
    since: input.since === undefined ? undefined : safe(input.since),
    ...places(view, input.filter ?? {}),
    limit: MOST_ROWS + 1,
  })
  if (page.windows.length > MOST_ROWS) throw tooMany(view.id)
  return { view: view.id, ...page }
}

/** Where in the key the filter's dimensions stand. Currency is one of every view. */
function places(view: ViewSpec, filter: Readonly<Record<string, string>>) {
  const dims: (readonly [number, string])[] = []
  let currency: string | undefined
  for (const [name, value] of Object.entries(filter)) {
    const index = view.groupBy.indexOf(name)
    if (index >= 0) dims.push([index, value])
    else if (name === 'currency') currency = value
    else throw unknownDimension(view, name)
  }
  return { dims, currency }
}

/** Instants as BIGINT holds them: an open end of a range may be Infinity. */
function safe(value: number): number {
  return Math.min(Math.max(Math.trunc(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

function unknownDimension(view: ViewSpec, name: string): AppError {
  return new AppError(
    'bad_request',
    `view ${view.id} has no dimension ${JSON.stringify(name)}; it has ${['currency', ...view.groupBy].join(', ')}`,
  )
}

function tooMany(view: string): AppError {
  return new AppError(
    'bad_request',
    `view ${view} has more than ${MOST_ROWS} rows in this range: ask for a shorter range, a filter or a coarser view`,
  )
}
