import { createHash } from 'node:crypto'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StartupError } from '../startupError'
import type { Owner } from './owner'

/** Where the embedded Postgres lives. Everything of it is below `root`. */
export interface Place {
  readonly root: string
  /** The cluster. */
  readonly data: string
  readonly log: string
  /** Mode 600, beside the data. */
  readonly password: string
  /** The port that it had last. */
  readonly port: string
  /** Which process supervises it. */
  readonly supervisor: string
}

const SYSTEM_ROOT = '/var/lib/tidemark'

/**
 * The folder: TIDEMARK_DATA_DIR; else the project's own ignored folder; under root one below /var/lib, because the
 * unprivileged user could not enter a project in root's home (mode 700). The name says which project it belongs to.
 */
export function placeOf(projectRoot: string, owner: Owner | null, dataDir?: string): Place {
  const root = resolve(dataDir ?? defaultRoot(resolve(projectRoot), owner))
  return {
    root,
    data: join(root, 'data'),
    log: join(root, 'postgres.log'),
    password: join(root, 'password'),
    port: join(root, 'port'),
    supervisor: join(root, 'supervisor'),
  }
}

function defaultRoot(projectRoot: string, owner: Owner | null): string {
  if (!owner) return join(projectRoot, '.tidemark')
  const hash = createHash('sha256').update(projectRoot).digest('hex').slice(0, 8)
  return join(SYSTEM_ROOT, `${basename(projectRoot)}-${hash}`)
}

/** Makes the folder and gives it to the owner. Throws StartupError where that, or entering it, is impossible. */
export function preparePlace({ root }: Place, owner: Owner | null): void {
  try {
    mkdirSync(root, { recursive: true, mode: 0o755 })
    if (owner) chownSync(root, owner.uid, owner.gid)
  } catch (cause) {
    throw new StartupError(
      `cannot make the folder ${root} of the embedded Postgres: ${(cause as Error).message}`,
      'Set TIDEMARK_DATA_DIR to a folder that you may write to, or DATABASE_URL to a Postgres of your own.',
      { cause },
    )
  }
  const closed = owner && firstClosedFolder(root, owner)
  if (!closed) return
  throw new StartupError(
    `the user ${owner.name}, as whom the embedded Postgres runs, cannot enter ${closed}`,
    'Set TIDEMARK_DATA_DIR to a folder that everybody may enter, or leave it unset.',
  )
}

function firstClosedFolder(path: string, owner: Owner): string | null {
  const parent = dirname(path)
  if (parent === path) return null
  const { mode, uid, gid } = statSync(parent)
  const needed = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
  return (mode & needed) === 0 ? parent : firstClosedFolder(parent, owner)
}
