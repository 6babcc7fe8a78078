import type { z } from 'zod'
import { PipelineSpec } from '../../server/contracts/pipelineSpec'
import { SOURCES } from './workload'

type Views = z.input<typeof PipelineSpec>['views']

const byShop = ['region', 'channel']
const minutes = { kind: 'tumbling', size: '1m' } as const

/** B 5 s and L 10 min unless a case says otherwise. */
function specOf(views: Views, allowedLateness = '10m'): PipelineSpec {
  return PipelineSpec.parse({ allowedLateness, sources: SOURCES.map((name) => ({ name })), views })
}

const oneView = [{ id: 'gmv_1m', window: minutes, groupBy: byShop }] satisfies Views

export interface SpeedCase {
  readonly title: string
  readonly spec: PipelineSpec
  /** Million events a second of CPU time. */
  readonly target: number
}

export const SPEED: Record<string, SpeedCase> = {
  shops: { title: '1 view, 1 m, 40 keys', spec: specOf(oneView), target: 1.5 },
  users: {
    title: '1 view, 1 m, by user, 100,000 users',
    spec: specOf([{ id: 'users_1m', window: minutes, groupBy: ['userId'], maxKeys: 1_000_000 }]),
    target: 1,
  },
  gmv: {
    title: '3 views: 1 m, 1 h, day; 40 keys',
    spec: specOf([
      ...oneView,
      { id: 'gmv_1h', window: { kind: 'tumbling', size: '1h' }, groupBy: byShop },
      { id: 'gmv_day', window: { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' }, groupBy: byShop },
    ]),
    target: 0.8,
  },
}

/** L so long that 1,000 events a second are 2 million live ids; then as many windows close as open. */
export const MEMORY_SPEC = specOf(oneView, '2000s')
export const LIVE_IDS = 2_000_000

export const USERS = 100_000
export const SPEED_MINUTES = 20
export const MEMORY_MINUTES = 50
export const TARGETS = { bytesAnId: 64, pauseMs: 20 }
