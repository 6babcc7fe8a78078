import { AppError } from '../platform/errors'

/** Codes of Prisma, of sockets and of Postgres for "there is no database to talk to right now". */
const CODES = new Set([
  ...['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH'],
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006', '53300'],
])
/** A raw query's error carries no code of its own, only the driver's words. */
const WORDS =
  /closed the connection|connection terminated|can't reach database|ECONNREFUSED|ECONNRESET|timeout exceeded/i
const DEEPEST = 5

/** True when the error, or one behind it, says that the database cannot be reached. */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) return false
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && CODES.has(code)) return true
  return WORDS.test(error.message) || isDatabaseAway(error.cause, depth + 1)
}

/**
 * Runs what reads from the database. Where that cannot be reached it rejects with AppError `database_unavailable`,
 * which a person can read and a producer can wait for; any other error stays what it is.
 */
export async function reading<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    const message =
      'The database does not answer right now. Nothing is lost; it goes on when the database is back.'
    throw new AppError('database_unavailable', message, { retryAfter: 5, cause: error })
  }
}
