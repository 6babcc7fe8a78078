import { AppError } from '../platform/errors'
import { isOperatorKey } from '../store/apiKeys'
import type { Store } from '../store/client'
import { reading } from '../store/databaseAway'

/**
 * Resolves when the key may give commands. Asked each time: a right that was taken away ends at once, and commands are
 * few. Throws AppError `forbidden`.
 */
export async function operatorOnly(
  store: Store,
  key: { readonly id: string; readonly name: string },
): Promise<void> {
  if (await reading(isOperatorKey(store, key.id))) return
  throw new AppError(
    'forbidden',
    `key "${key.name}" may not give commands: \`npm run keys -- create NAME --operator\` makes one that may`,
  )
}
