import pg from 'pg'

/** Parameters of Prisma's URLs that `pg` does not know. */
const PRISMA_ONLY = ['schema', 'connection_limit', 'pool_timeout', 'pgbouncer', 'connect_timeout']

/**
 * A Prisma URL as `pg` understands it, and the schema that it names.
 * @param {string} url
 * @returns {{ connectionString: string, schema: string | undefined }}
 */
export function splitUrl(url) {
  const parsed = new URL(url)
  const schema = parsed.searchParams.get('schema') ?? undefined
  for (const name of PRISMA_ONLY) parsed.searchParams.delete(name)
  return { connectionString: parsed.toString(), schema }
}

/**
 * Runs `work` on a connection of its own.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: splitUrl(url).connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Runs `work` beside the database that the URL names: in `postgres`, where it can be created and dropped.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client, name: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function besideDatabase(url, work) {
  const parsed = new URL(url)
  const name = decodeURIComponent(parsed.pathname.slice(1))
  parsed.pathname = '/postgres'
  return withClient(parsed.toString(), (client) => work(client, name))
}

/** @param {string} url */
export function createDatabase(url) {
  return besideDatabase(url, async (client, name) => {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
    return name
  })
}

/** @param {string} url */
export function dropDatabase(url) {
  return besideDatabase(url, (client, name) =>
    client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`),
  )
}
