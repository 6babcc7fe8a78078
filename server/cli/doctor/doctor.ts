import { openDatabase } from '../../platform/database'
import { type Check, checkDatabase, checkDataDir, checkNode, checkOf } from '../../platform/doctorChecks'
import { checkDisk, checkSize } from '../../platform/doctorRoom'
import { findOwner } from '../../platform/embedded/owner'
import { placeOf } from '../../platform/embedded/place'
import { type Env, readEnv } from '../../platform/env'
import { PROJECT_ROOT } from '../../platform/projectRoot'
import { StartupError } from '../../platform/startupError'
import { checkMigrations } from '../../store/migrationCheck'
import { readSpec } from '../serve/specFile'

/** Prints ✓ or ✗ for each check, with how to mend it. True when all is well. */
export async function doctor(): Promise<boolean> {
  let well = true
  const tell = (check: Check) => {
    well &&= check.ok
    process.stdout.write(`${check.ok ? '✓' : '✗'} ${check.name}: ${check.detail}\n`)
    if (check.mend) process.stdout.write(`  ${check.mend.replaceAll('\n', '\n  ')}\n`)
  }
  tell(checkNode())
  const env = await readable(tell)
  if (!env) return false
  if (env.TIDEMARK_SPEC) tell(await checkOf('pipeline definition', () => described(env.TIDEMARK_SPEC)))
  await checkOwnOrEmbedded(env, tell)
  return well
}

async function readable(tell: (check: Check) => void): Promise<Env | null> {
  const found: Env[] = []
  tell(
    await checkOf('environment', () => {
      found.push(readEnv())
      return 'every variable can be read'
    }),
  )
  return found[0] ?? null
}

function described(file: string | undefined): string {
  const { spec } = readSpec(file)
  return `${spec.views.length} views, ${spec.sources.length} declared sources, zone ${spec.zone}`
}

/** The embedded Postgres is started for the check, or shared with a server that runs. */
async function checkOwnOrEmbedded(env: Env, tell: (check: Check) => void): Promise<void> {
  if (!env.DATABASE_URL) tell(await checkOf('data folder', () => dataFolder(env)))
  try {
    const database = await openDatabase(env)
    try {
      for (const check of await checkDatabase(database.url)) tell(check)
      tell(await checkMigrations(database.url))
      if (database.dataFolder !== null) tell(await checkDisk(database.dataFolder, env))
      tell(await checkSize(database.url, env))
    } finally {
      await database.close()
    }
  } catch (error) {
    tell(await checkOf('database', () => Promise.reject(error)))
  }
}

function dataFolder(env: Env): string {
  const { root } = placeOf(PROJECT_ROOT, findOwner(), env.TIDEMARK_DATA_DIR)
  const check = checkDataDir(root)
  if (check.mend) throw new StartupError(check.detail, check.mend)
  return check.detail
}
