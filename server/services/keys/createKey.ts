import { SOURCE_NAME } from '../../contracts/limits'
import { AppError } from '../../platform/errors'
import { type ApiKeyRow, insertApiKey } from '../../store/apiKeys'
import type { Store } from '../../store/client'
import { hashOf, newKey, prefixOf } from './key'

export interface CreateKeyInput {
  /** What people call it, 1 to 100 characters. */
  readonly name: string
  /** Sources that it may send as; empty or absent: all. */
  readonly sources?: readonly string[]
  /** It may give commands to the engine, beside sending events. */
  readonly operator?: boolean
}

export interface CreatedKey {
  readonly id: string
  readonly name: string
  /** Shown this once; only its hash is kept. */
  readonly key: string
  readonly prefix: string
  readonly sources: readonly string[]
  readonly operator: boolean
}

/** Makes an API key. Throws AppError `bad_request` for a name or source that cannot be. */
export async function createKey(store: Store, input: CreateKeyInput): Promise<CreatedKey> {
  const { name, sources = [], operator = false } = input
  if (name.trim() === '' || name.length > 100) {
    throw new AppError('bad_request', 'a key needs a name of 1 to 100 characters')
  }
  const wrong = sources.find((source) => !SOURCE_NAME.test(source))
  if (wrong !== undefined) {
    throw new AppError('bad_request', `${JSON.stringify(wrong.slice(0, 100))} cannot be the name of a source`)
  }
  const key = newKey()
  const row = await insertApiKey(store, {
    name: name.trim(),
    prefix: prefixOf(key),
    hash: hashOf(key),
    sources,
    operator,
  })
  return { ...shown(row), key }
}

function shown({ id, name, prefix, sources, operator }: ApiKeyRow): Omit<CreatedKey, 'key'> {
  return { id, name, prefix, sources, operator }
}
