import type { EventPlace } from '../../../server/contracts/lateStore'
import { stringAt } from '../../../server/contracts/stringTable'
import type { Run } from '../engine'

/** Every event that an engine was given, with its place; rejected ones have none. */
export function placesOf(run: Run): (EventPlace & { readonly counted: boolean })[] {
  return run.past.everything(run.state.position + 1).flatMap(({ position, batch, counted }) =>
    Array.from({ length: batch.count }, (_, row) => {
      const text = (index = 0) => stringAt(batch.strings, index)
      const id = { source: text(batch.source[row]), eventId: text(batch.eventId[row]) }
      return { ...id, position, row, counted: counted(row) }
    }),
  )
}

/** Places of the first occurrences of these ids, as a command names them. */
export function named(run: Run, ...ids: string[]): EventPlace[] {
  const places = placesOf(run)
  return ids.map((eventId) => {
    const place = places.find((p) => p.eventId === eventId)
    if (!place) throw new RangeError(`no event ${eventId}`)
    const { counted: _, ...rest } = place
    return rest
  })
}

export function reinject(run: Run, ...ids: string[]): Promise<ReturnType<Run['record']>> {
  return run.tell({ kind: 'reinject', events: named(run, ...ids) })
}

export function takeOut(run: Run, ...ids: string[]): Promise<ReturnType<Run['record']>> {
  return run.tell({ kind: 'void', events: named(run, ...ids) })
}
