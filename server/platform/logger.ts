import pino from 'pino'
import type { Env } from './env'

export type Logger = pino.Logger

/** Fields that never reach a log, wherever they stand up to three levels deep. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'apiKey', 'DATABASE_URL', 'databaseUrl']
const DEPTHS = ['', '*.', '*.*.']

/** Secrets inside of text: a driver's message may quote a URL, a producer's error its header. */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/(postgres(?:ql)?:\/\/[^:@/\s"]*:)[^@\s"]+@/gi, '$1[redacted]@'],
  [/\b(tm_[A-Za-z0-9_-]{7})[A-Za-z0-9_-]{8,}/g, '$1[redacted]'],
  [/\b(bearer )(?!tm_)[\x21-\x7e]+?(?=["\\\s]|$)/gi, '$1[redacted]'],
]

/** A line without the secrets that it may quote. */
export function withoutSecrets(line: string): string {
  return SECRET_TEXT.reduce((text, [secret, instead]) => text.replace(secret, instead), line)
}

/**
 * The log: JSON lines, or readable ones on a terminal outside of production. Keys, passwords and database URLs are
 * redacted both as fields and inside of texts.
 * @param destination where lines go; stdout by default
 */
export function createLogger(
  env: Pick<Env, 'LOG_LEVEL' | 'NODE_ENV'>,
  destination?: pino.DestinationStream,
): Logger {
  const options: pino.LoggerOptions = {
    level: env.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: DEPTHS.flatMap((depth) => SECRET_FIELDS.map((f) => `${depth}${f}`)),
      censor: '[redacted]',
    },
    serializers: { err: pino.stdSerializers.errWithCause },
    hooks: { streamWrite: withoutSecrets },
  }
  if (destination) return pino(options, destination)
  if (env.NODE_ENV === 'production' || !process.stdout.isTTY) return pino(options)
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss' } },
  })
}
