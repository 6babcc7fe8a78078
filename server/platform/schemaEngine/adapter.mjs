import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { createDatabase, dropDatabase, splitUrl, withClient } from './databaseUrl.mjs'

const CHAR = 18
const TEXT = 25

/**
 * Lets a queryable read "char" columns, of which the catalogue has many: adapter-pg 7.10 refuses the type (oid 18),
 * and the engine panics where one of them reads as text (the kind of a constraint, once a table has a check).
 */
function readingChars(queryable) {
  const places = new WeakMap()
  const performIO = queryable.performIO.bind(queryable)
  const queryRaw = queryable.queryRaw.bind(queryable)
  queryable.performIO = async (query) => {
    const result = await performIO(query)
    const chars = (result.fields ?? []).flatMap((field, i) => (field.dataTypeID === CHAR ? [i] : []))
    for (const i of chars) result.fields[i].dataTypeID = TEXT
    places.set(query, chars)
    return result
  }
  queryable.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const i of places.get(query) ?? []) result.columnTypes[i] = ColumnTypeEnum.Character
    return result
  }
  return queryable
}

/** Connections of the schema engine: adapter-pg with the faults of 7.10 worked around. */
class SchemaEngineAdapterFactory {
  provider = 'postgres'
  adapterName = '@prisma/adapter-pg'

  constructor(url, shadowUrl) {
    this.url = url
    this.shadowUrl = shadowUrl
    this.adapters = new Set()
  }

  /** Ends the connections that the engine has not ended itself; it holds its own until the process ends. */
  async close() {
    for (const adapter of this.adapters) await adapter.dispose()
  }

  connect() {
    return this.open(this.url)
  }

  async connectToShadowDb() {
    if (this.shadowUrl) {
      await emptySchema(this.shadowUrl)
      return this.open(this.shadowUrl)
    }
    const shadow = new URL(this.url)
    shadow.pathname = `/prisma_migrate_shadow_db_${crypto.randomUUID()}`
    const url = shadow.toString()
    await createDatabase(url)
    return this.open(url, () => dropDatabase(url))
  }

  async open(url, afterwards) {
    const { connectionString, schema } = splitUrl(url)
    // Never closed for idling: the migration lock belongs to a connection.
    const pool = new pg.Pool({ connectionString, max: 4, idleTimeoutMillis: 0 })
    const adapter = readingChars(await new PrismaPg(pool, { schema }).connect())
    const startTransaction = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => readingChars(await startTransaction(level))
    // The whole script in one simple query, as the native engine does; adapter-pg would split it at every ';'.
    adapter.executeScript = async (script) => {
      try {
        await pool.query(script)
      } catch (error) {
        adapter.onError(error)
      }
    }
    adapter.dispose = async () => {
      if (!this.adapters.delete(adapter)) return
      await pool.end()
      await afterwards?.()
    }
    this.adapters.add(adapter)
    return adapter
  }
}

function emptySchema(url) {
  const { schema = 'public' } = splitUrl(url)
  return withClient(url, (client) => {
    const name = client.escapeIdentifier(schema)
    return client.query(`DROP SCHEMA IF EXISTS ${name} CASCADE; CREATE SCHEMA ${name}`)
  })
}

/**
 * What the engine connects by, and how to end what it leaves open.
 * @param {string} url
 * @param {string} [shadowUrl]
 * @returns {{ adapter: object, close: () => Promise<void> }}
 */
export function adapterFor(url, shadowUrl) {
  const factory = new SchemaEngineAdapterFactory(url, shadowUrl)
  return { adapter: bindMigrationAwareSqlAdapterFactory(factory), close: () => factory.close() }
}
