/** Postgres has no room left on its disk: SQLSTATE disk_full, in the codes and the words of drivers. */
const CODE = '53100'
const WORDS = /\b53100\b|no space left on device|could not extend file/i
const DEEPEST = 5

/** True when the error, or one behind it, says that the database's disk is full. */
export function isDiskFull(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) return false
  if ('code' in error && error.code === CODE) return true
  return WORDS.test(error.message) || isDiskFull(error.cause, depth + 1)
}
