import fc from 'fast-check'
import type { z } from 'zod'
import type { ViewSpec } from '../../../server/contracts/viewSpec'
import { tumbling } from '../engine'

type Views = z.input<typeof ViewSpec>[]
type Window = Views[number]['window']

/** Views, how many ms a unit of time has among them, and where their programs begin. */
export interface Shape {
  readonly name: string
  readonly scale: number
  readonly start: number
  readonly views: Views
}

const units = (least: number, most: number) => fc.integer({ min: least, max: most })

/** 2026-10-24T12:00Z and 2026-03-28T12:00Z: ten hours before Berlin's days of 25 and of 23 hours. */
const starts = fc.constantFrom(1_792_843_200_000, 1_774_699_200_000)
const zones = fc.constantFrom('Europe/Berlin', 'Europe/Berlin', 'Africa/Cairo')
/** The clock of Berlin never skips one of these. */
const dayStarts = fc.constantFrom('00:00', '00:00', '04:00', '23:15')

const gaps = fc.oneof(units(1, 5), units(1, 25))
const groups = fc.constantFrom<string[][]>([], ['region'], ['region', 'ch'], ['userId'], ['ch', 'userId'])
/** Of few keys, so that sessions meet. */
const fewGroups = fc.constantFrom<string[][]>([], [], ['userId'], ['region'])
const viewOf = (id: string, window: Window, time: 'event' | 'journal' = 'event') =>
  fc
    .record({
      groupBy: window.kind === 'session' ? fewGroups : groups,
      maxKeys: fc.oneof(units(1, 4), units(4, 40)),
    })
    .map((rest): Views[number] => ({ id, window, time, ...rest }))

/** Some of the views, in any order, and always those of `needed`. */
function views(needed: fc.Arbitrary<Views[number]>[], others: fc.Arbitrary<Views[number]>[]) {
  return fc
    .tuple(
      fc.tuple(...needed),
      fc.tuple(...others).chain((list) => fc.shuffledSubarray(list)),
      fc.boolean(),
    )
    .map(([first, rest, last]): Views => (last ? [...rest, ...first] : [...first, ...rest]))
}

/** Small integers, where one off shows: a tumbling base and views of all kinds. */
const smallMany = fc
  .record({ offset: units(-9, 9), slide: units(3, 12), size: units(12, 40), gap: gaps })
  .chain(({ offset, slide, size, gap }) =>
    views(
      [viewOf('m', tumbling(10, offset))],
      [
        viewOf('t', tumbling(10, offset)),
        viewOf('h', tumbling(30, offset)),
        viewOf('s', { kind: 'sliding', size, slide, offset: offset % size }),
        viewOf('c', { kind: 'cumulate', step: 20, within: tumbling(60, offset + 20) }),
        viewOf('u', { kind: 'session', gap }),
        viewOf('j', tumbling(7, offset % 7), 'journal'),
        viewOf('js', { kind: 'sliding', size, slide }, 'journal'),
        viewOf('jc', { kind: 'cumulate', step: 5, within: tumbling(20) }, 'journal'),
      ],
    ),
  )
  .map((list): Shape => ({ name: 'small, many', scale: 1, start: 0, views: list }))

const smallWindows: fc.Arbitrary<Window> = fc
  .record({ offset: units(-4, 4), slide: units(3, 12), size: units(12, 40), gap: gaps })
  .chain(({ offset, slide, size, gap }) =>
    fc.constantFrom<Window>(
      tumbling(size, offset),
      { kind: 'sliding', size, slide, offset },
      { kind: 'sliding', size, slide, offset },
      { kind: 'cumulate', step: slide, within: tumbling(slide * 4, offset) },
      { kind: 'cumulate', step: slide, within: tumbling(slide * 4, offset) },
      { kind: 'session', gap },
      { kind: 'session', gap },
      { kind: 'session', gap },
    ),
  )

/** Small integers and one window that decides alone what is late; sometimes a second view of it. */
const smallSingle = smallWindows
  .chain((window) => single(window, viewOf('j', tumbling(10), 'journal')))
  .map((list): Shape => ({ name: 'small, single', scale: 1, start: 0, views: list }))

function single(window: Window, journal: fc.Arbitrary<Views[number]>) {
  const second = window.kind === 'session' ? [] : [viewOf('w2', window)]
  return views([viewOf('w', window)], [...second, journal])
}

const calendarWindow = (unit: 'day' | 'week' | 'month') =>
  fc
    .record({ zone: zones, dayStart: dayStarts })
    .map((rest) => ({ kind: 'calendar' as const, unit, ...rest }))

/** Quarters of an hour across a change of the clock, with days, weeks and months over them. */
const calendarMany = fc
  .tuple(calendarWindow('day'), calendarWindow('week'), calendarWindow('month'), starts)
  .chain(([day, week, month, start]) => {
    const unit = 90_000
    const cumulate: Window = { kind: 'cumulate', step: 40 * unit, within: { ...day, unit: 'day' } }
    return views(
      [viewOf('m', tumbling(10 * unit)), viewOf('d', day)],
      [
        viewOf('h', tumbling(40 * unit)),
        viewOf('wk', week),
        viewOf('mo', month),
        viewOf('c', cumulate),
        viewOf('s', { kind: 'sliding', size: 30 * unit, slide: 10 * unit }),
        viewOf('u', { kind: 'session', gap: 20 * unit }),
        viewOf('jd', day, 'journal'),
        viewOf('jc', cumulate, 'journal'),
      ],
    ).map((list): Shape => ({ name: 'calendar, many', scale: unit, start, views: list }))
  })

/** Days (or weeks, months, hours of the day so far) that decide alone, in quarters of an hour. */
const calendarSingle = fc
  .record({
    unit: fc.constantFrom('day', 'day', 'week', 'month'),
    step: fc.constantFrom(5_400_000, 7_200_000, 25_200_000),
    so: fc.boolean(),
    start: starts,
  })
  .chain(({ unit, step, so, start }) =>
    calendarWindow(unit).chain((window) => {
      const cumulate: Window = { kind: 'cumulate', step, within: { ...window, unit: 'day' } }
      const hours = viewOf('j', tumbling(3_600_000), 'journal')
      return single(so ? cumulate : window, hours).map(
        (list): Shape => ({ name: 'calendar, single', scale: 900_000, start, views: list }),
      )
    }),
  )

export const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 4, arbitrary: smallMany },
  { weight: 4, arbitrary: smallSingle },
  { weight: 2, arbitrary: calendarMany },
  { weight: 2, arbitrary: calendarSingle },
)
