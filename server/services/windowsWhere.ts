import type { ViewSpec } from '../contracts/viewSpec'
import { AppError } from '../platform/errors'
import type { WindowsWhere } from '../store/windowConditions'
import type { WindowsRange } from './port'

/** The rows of a view that are asked for. Throws AppError `bad_request` for a dimension that the view does not have. */
export function windowsWhere(view: ViewSpec, input: WindowsRange): WindowsWhere {
  return {
    view: view.id,
    version: view.version,
    from: safeInstant(input.from),
    to: safeInstant(input.to),
    ...places(view, input.filter ?? {}),
  }
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
export function safeInstant(value: number): number {
  return Math.min(Math.max(Math.trunc(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

function unknownDimension(view: ViewSpec, name: string): AppError {
  return new AppError(
    'bad_request',
    `view ${view.id} has no dimension ${JSON.stringify(name)}; it has ${['currency', ...view.groupBy].join(', ')}`,
  )
}

/** Rows that one answer is made of at most: a day of minutes with 35 keys. More is a mistake, or a job for the CSV. */
export const MOST_ROWS = 50_000

export function tooManyRows(view: string): AppError {
  return new AppError(
    'bad_request',
    `view ${view} has more than ${MOST_ROWS} rows in this range: ask for a shorter range, a filter or a coarser view`,
  )
}
