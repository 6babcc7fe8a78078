import { openDatabase } from '../platform/database'
import { readEnv } from '../platform/env'
import { createStore, type Store } from '../store/client'
import { migrate } from '../store/migrate'

/** Runs a command on the database of this environment, migrated, and closes what was opened. */
export async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const database = await openDatabase(readEnv())
  const store = createStore(database.url)
  try {
    await migrate(database.url)
    return await work(store)
  } finally {
    await store.close()
    await database.close()
  }
}
