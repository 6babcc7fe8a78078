import type { Chance } from '../../server/cli/demo/random'
import type { World } from './world'

export interface Disturbance {
  readonly name: string
  /** Processes that it ends without warning: what is counted as kills. */
  readonly kills: number
  /** Whether it can be had here. */
  readonly possible?: (world: World) => boolean
  readonly run: (world: World, chance: Chance) => Promise<void>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Everything that goes wrong, each undone again where it does not mend itself. */
export const DISTURBANCES: readonly [Disturbance, ...Disturbance[]] = [
  { name: 'kill -9 the leader', kills: 1, run: async (world) => (await world.leader()).kill() },
  { name: 'kill -9 the standby', kills: 1, run: async (world) => (await world.standby()).kill() },
  {
    name: 'kill -9 both servers',
    kills: 2,
    run: async (world) => {
      await Promise.all(world.servers.map((server) => server.kill()))
    },
  },
  {
    name: 'kill -9 the leader, and its successor',
    kills: 2,
    run: async (world, chance) => {
      await (await world.leader()).kill()
      await pause(chance.whole(6_000))
      await Promise.all(world.servers.map((server) => server.kill()))
    },
  },
  {
    name: 'stop the leader in order',
    kills: 0,
    run: async (world) => (await world.leader()).kill('SIGTERM'),
  },
  {
    name: 'freeze the leader until another leads',
    kills: 0,
    run: async (world, chance) => {
      const leader = await world.leader()
      leader.freeze()
      await pause(4_000 + chance.whole(4_000))
      leader.thaw()
    },
  },
  {
    name: 'freeze the leader for a moment',
    kills: 0,
    run: async (world, chance) => {
      const leader = await world.leader()
      leader.freeze()
      await pause(chance.whole(2_500))
      leader.thaw()
    },
  },
  { name: 'stop Postgres fast', kills: 0, run: (world) => world.database.end('SIGINT') },
  { name: 'stop Postgres at once', kills: 1, run: (world) => world.database.end('SIGQUIT') },
  { name: 'kill -9 Postgres', kills: 1, run: (world) => world.database.end('SIGKILL') },
  {
    name: 'kill -9 Postgres and the leader',
    kills: 2,
    run: async (world) => {
      const leader = await world.leader()
      await Promise.all([world.database.end('SIGKILL'), leader.kill()])
    },
  },
  { name: 'cut all connections', kills: 0, possible: hasProxy, run: async (world) => world.proxy?.cut() },
  {
    name: 'lose the answers of the database',
    kills: 0,
    possible: hasProxy,
    run: async (world, chance) => {
      world.proxy?.set('cutAnswers')
      await pause(chance.whole(1_500))
    },
  },
  {
    name: 'refuse connections for a while',
    kills: 0,
    possible: hasProxy,
    run: async (world, chance) => {
      world.proxy?.set('refuse')
      await pause(chance.whole(5_000))
    },
  },
  {
    name: 'slow the database down',
    kills: 0,
    possible: hasProxy,
    run: async (world, chance) => {
      world.proxy?.delay(50 + chance.whole(300))
      await pause(3_000)
    },
  },
  {
    name: 'set the wall clock back',
    kills: 0,
    run: async (world, chance) => {
      world.setClock(-1_000 - chance.whole(120_000))
      await pause(1_000)
    },
  },
  {
    name: 'set the wall clock forward',
    kills: 0,
    run: async (world, chance) => {
      world.setClock(1_000 + chance.whole(30_000))
      await pause(1_000)
    },
  },
  {
    name: 'set the wall clock back and kill -9 the leader',
    kills: 1,
    run: async (world, chance) => {
      world.setClock(-1_000 - chance.whole(60_000))
      await (await world.leader()).kill()
    },
  },
  {
    name: 'fill the disk',
    kills: 0,
    possible: (world) => world.database.fillDisk !== undefined,
    run: async (world) => {
      world.database.fillDisk?.()
      await pause(3_000)
    },
  },
]

function hasProxy(world: World): boolean {
  return world.proxy !== null
}
