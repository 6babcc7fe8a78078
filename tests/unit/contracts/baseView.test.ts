import { describe, expect, test } from 'vitest'
import { baseView, findBaseView, totalView } from '../../../server/contracts/baseView'
import { ViewSpec } from '../../../server/contracts/viewSpec'
import { tumbling } from '../../support/engine'
import { day, minute, session } from './refusals'

const views = (...list: unknown[]) => list.map((view) => ViewSpec.parse(view))
const hour = { id: 'h', window: tumbling(3_600_000) }

describe('the base view', () => {
  test('is the finest tumbling one, wherever it stands, the first of equals, or the only view', () => {
    expect(baseView(views(day('UTC'), hour, minute, { ...minute, id: 'n' })).id).toBe('m')
    expect(baseView(views(session, hour)).id).toBe('h')
    expect(baseView(views(day('UTC'))).id).toBe('d')
    expect(() => baseView([])).toThrow(RangeError)
  })

  test('goes by event time', () => {
    const arrivals = { ...minute, time: 'journal' }
    expect(baseView(views(arrivals, hour)).id).toBe('h')
    expect(findBaseView(views(arrivals))).toBeUndefined()
  })

  test('for totals is the finest one without dimensions, where there is one', () => {
    const by = { ...minute, groupBy: ['region'] }
    expect(totalView(views(by, hour)).id).toBe('h')
    expect(totalView(views(by)).id).toBe('m')
    expect(totalView(views(by, { ...minute, id: 'arrivals', time: 'journal' })).id).toBe('m')
  })
})
