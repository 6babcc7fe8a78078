import { describe, expect, it } from 'vitest'
import { CalendarWindows } from '@/server/engine/windows/calendar'
import { businessDay } from '@/server/services/businessDay'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)

describe('business day', () => {
  it.each([
    ['an ordinary day', 'Asia/Shanghai', '2026-11-11T02:00:00Z', '2026-11-10T16:00:00Z', 24],
    ['the 23-hour day of spring', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', 23],
    ['the 25-hour day of autumn', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', 25],
    ['a day that begins at 01:00', 'America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', 23],
    [
      'the day before a date that does not exist',
      'Pacific/Apia',
      '2011-12-30T00:00:00Z',
      '2011-12-29T10:00:00Z',
      24,
    ],
  ])('%s', (_, zone, now, start, hours) => {
    const day = businessDay(at(now), zone)
    expect(new Date(day.start).toISOString()).toBe(new Date(at(start)).toISOString())
    expect((day.end - day.start) / HOUR).toBe(hours)
  })

  it('is the day that the engine puts an order of this instant into', () => {
    const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/Santiago', 'Pacific/Apia', 'America/St_Johns']
    const around = [
      '2010-11-07T02:31:00Z',
      '2010-11-07T03:15:00Z',
      '2011-12-30T10:00:00Z',
      '2026-10-25T00:30:00Z',
    ]
    for (const zone of zones) {
      for (const now of around.map(at))
        expect(businessDay(now, zone)).toEqual(new CalendarWindows('day', zone).spanOf(now))
    }
  })

  it('its first instant belongs to it, its end does not', () => {
    const { start, end } = businessDay(at('2026-11-11T02:00:00Z'), 'Asia/Shanghai')
    expect(businessDay(start, 'Asia/Shanghai').start).toBe(start)
    expect(businessDay(end - 1, 'Asia/Shanghai').start).toBe(start)
    expect(businessDay(end, 'Asia/Shanghai').start).toBe(end)
  })
})
