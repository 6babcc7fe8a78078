/**
 * `npm run chaos -- --minutes N`: producers send a known set of orders while servers and database are killed, frozen,
 * cut off, slowed and filled; after each disturbance everything that was promised is checked. Seeds are printed.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { chance } from '../../server/cli/demo/random'
import { ensureBuilt } from '../../server/cli/serve/build'
import { createKey } from '../../server/services/keys/createKey'
import { createStore } from '../../server/store/client'
import { ROOT } from '../support/cli'
import { Checks } from './checks'
import { DISTURBANCES } from './disturbances'
import { postgresBinaries } from './postgres'
import { Producers } from './producers'
import { World } from './world'

/** Beyond these something leaks. */
const MOST_RSS = 1.2 * 1024 ** 3
const MOST_DESCRIPTORS = 400

interface Options {
  readonly minutes: string
  readonly seed: string
  readonly embedded?: boolean
  readonly only?: string
}

const program = new Command('chaos')
  .option('--minutes <n>', 'how long', '5')
  .option('--seed <n>', 'what chance begins with', String(Date.now() % 1_000_000))
  .option('--only <text>', 'disturbances whose name holds this')
  .option('--embedded', 'on the embedded Postgres instead of one of its own')
  .parse()
const options = program.opts<Options>()

const folder = mkdtempSync(join(tmpdir(), 'tidemark-chaos-'))
chmodSync(folder, 0o755)
const faults: string[] = []
try {
  faults.push(...(await chaos()))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.log(`✗ ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)

async function world(): Promise<World> {
  if (options.embedded) return World.embedded(folder)
  const bin = postgresBinaries()
  if (bin) return World.own(folder, bin)
  console.log(
    'No Postgres below /usr/lib/postgresql: on the embedded one, whose disk and connections are left alone.',
  )
  return World.embedded(folder)
}

async function chaos(): Promise<string[]> {
  await ensureBuilt(ROOT, console.log)
  const seed = Number(options.seed)
  console.log(`seed ${seed}`)
  const around = await world()
  const store = createStore(around.database.url, { onConnectionError: () => {} })
  const { key } = await createKey(store, { name: 'chaos' })
  const dice = chance(seed)
  const producers = new Producers(
    chance(seed + 1),
    around.servers.map(({ url }) => url),
    key,
  )
  const checks = new Checks(store)
  const found: string[] = []
  const counts = { disturbances: 0, kills: 0, slowest: 0 }
  try {
    await around.mend()
    producers.start()
    const until = performance.now() + Number(options.minutes) * 60_000
    const possible = DISTURBANCES.filter(
      (d) => d.name.includes(options.only ?? '') && (d.possible?.(around) ?? true),
    )
    // Each once before any twice.
    for (let round: typeof possible = []; performance.now() < until && found.length === 0; ) {
      if (round.length === 0) round = [...possible]
      const [disturbance] = round.splice(dice.whole(round.length), 1)
      if (!disturbance) break
      await new Promise((resolve) => setTimeout(resolve, dice.whole(1_500)))
      await disturbance.run(around, dice)
      const back = await around.mend()
      await new Promise((resolve) => setTimeout(resolve, 300))
      const wrong = [...(await checks.all(producers.acknowledged)), ...sizes(around)]
      counts.disturbances++
      counts.kills += disturbance.kills
      counts.slowest = Math.max(counts.slowest, back)
      console.log(
        `${wrong.length === 0 ? '✓' : '✗'} ${disturbance.name}: took orders again after ${(back / 1000).toFixed(1)} s`,
      )
      found.push(...wrong.map((fault) => `${disturbance.name}: ${fault}`))
    }
    await producers.stop()
    await settled()
    found.push(...(await checks.all(producers.acknowledged)))
  } catch (error) {
    found.push(`${(error as Error).stack}`)
  } finally {
    await store.close()
    await around.close()
  }
  const { disturbances, kills, slowest } = counts
  console.log(
    `${disturbances} disturbances, ${kills} kills; ${producers.acknowledged.size} orders acknowledged of ${producers.sent} sent, ${producers.refused} requests failed or refused; slowest return ${(slowest / 1000).toFixed(1)} s; seed ${seed}`,
  )
  return found

  async function settled(): Promise<void> {
    const leader = await around.leader()
    for (let tries = 0; tries < 200; tries++) {
      const health = await fetch(`${leader.url}/api/health/ready`)
      const { journaled, committed } = (await health.json()) as { journaled: number; committed: number }
      if (journaled === committed) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

function sizes(around: World): string[] {
  return around.servers.flatMap((server) => {
    const size = server.size()
    if (!size) return []
    return [
      ...(size.rss > MOST_RSS ? [`a server holds ${Math.round(size.rss / 1e6)} MB`] : []),
      ...(size.descriptors > MOST_DESCRIPTORS ? [`a server has ${size.descriptors} descriptors open`] : []),
    ]
  })
}
