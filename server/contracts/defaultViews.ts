import type { z } from 'zod'
import type { ViewSpec } from './viewSpec'

/** The views that a new pipeline starts with (design.md §3). */
export function defaultViews(businessZone: string): z.input<typeof ViewSpec>[] {
  const day = { kind: 'calendar', unit: 'day', zone: businessZone } as const
  const byShop = ['region', 'channel']
  return [
    { id: 'gmv_1m', window: { kind: 'tumbling', size: '1m' }, groupBy: byShop },
    { id: 'gmv_1h', window: { kind: 'tumbling', size: '1h' }, groupBy: byShop },
    { id: 'gmv_day', window: day, groupBy: byShop },
    { id: 'gmv_total_1m', window: { kind: 'tumbling', size: '1m' } },
    { id: 'gmv_total_day', window: day },
    { id: 'arrivals_1m', window: { kind: 'tumbling', size: '1m' }, time: 'journal' },
  ]
}
