import { StartupError } from './startupError'

/** A database URL for a person: without its password. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return '(not a URL)'
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username ? `${username}@` : ''}${host}${pathname}`
}

/** By SQLSTATE or the socket's error code: what to do. */
const MEND: Record<string, string> = {
  ECONNREFUSED: 'Is Postgres running there, and does it listen on that address and port?',
  ENOTFOUND: 'The host name is unknown: check DATABASE_URL.',
  ETIMEDOUT: 'Nothing answers there: check the address and the firewall.',
  '28P01': 'The password is wrong: check DATABASE_URL.',
  '28000': 'Postgres does not let this user in from here: check its pg_hba.conf and DATABASE_URL.',
  '3D000': 'The database does not exist: create it (createdb), or name another one in DATABASE_URL.',
  '42501': 'This user may not do that: make it the owner of the database.',
  '53300': 'Postgres has no connection left: raise its max_connections, or end other programs.',
  '57P03': 'Postgres is starting or recovering: try again shortly.',
}

/** A driver's error at the first contact as one that says where, what and how to mend it. */
export function connectError(error: unknown, url: string): StartupError {
  if (error instanceof StartupError) return error
  const code = codeOf(error)
  const what = error instanceof Error && error.message ? error.message : code
  return new StartupError(
    `the database ${shownUrl(url)} cannot be used: ${what}`,
    MEND[code] ??
      'Check DATABASE_URL, or unset it to use the embedded Postgres. `npm run doctor` checks more.',
    { cause: error },
  )
}

/** Node tries all addresses of a name and then throws them as one error with an empty message. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'no answer'
}
