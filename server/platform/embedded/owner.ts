import { readFileSync } from 'node:fs'
import { StartupError } from '../startupError'

/** Whom Postgres runs as; null: as whoever runs us. */
export interface Owner {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const CANDIDATES = ['postgres', 'nobody']

/**
 * Postgres refuses to run as root. Under root this finds the unprivileged user that it runs as instead: `postgres`
 * where there is one, else `nobody`. An ordinary user runs it as itself.
 * @param uid the user that runs us; undefined where the system has no such thing
 */
export function findOwner(uid = process.getuid?.(), passwd = readPasswd()): Owner | null {
  if (uid !== 0) return null
  for (const name of CANDIDATES) {
    const fields = passwd
      .split('\n')
      .map((line) => line.split(':'))
      .find(([user]) => user === name)
    const owner = { name, uid: Number(fields?.[2]), gid: Number(fields?.[3]) }
    if (owner.uid > 0 && owner.gid > 0) return owner
  }
  throw new StartupError(
    'the embedded Postgres does not run as root, and /etc/passwd has neither a user postgres nor nobody',
    'Run Tidemark as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
  )
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return ''
  }
}
