import { z } from 'zod'
import { Bytes, KeepFor } from './envValues'
import { StartupError } from './startupError'

/** Where the server listens and what it tells, when nobody says otherwise. */
const DEFAULTS = { HOST: '127.0.0.1', PORT: 3000, LOG_LEVEL: 'info', NODE_ENV: 'development' } as const

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const HOW_LONG = 'a duration of at least an hour, with its unit, such as 36h or 30d'
const HOW_MANY = 'a number of bytes, or of KiB, MiB, GiB or TiB, such as 20GiB'
const NODE_ENVS = ['development', 'production', 'test'] as const

/** Per variable: how it is read, and what is allowed, in words. */
const allowed: Record<keyof Env, string> = {
  DATABASE_URL: 'postgresql://user:password@host:port/database, or unset for the embedded Postgres',
  HOST: 'an address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
  PORT: 'a port from 1 to 65535',
  TIDEMARK_DATA_DIR: 'a folder for the embedded Postgres',
  TIDEMARK_SPEC: 'a path to a pipeline definition (JSON)',
  TIDEMARK_KEEP_JOURNAL: HOW_LONG,
  TIDEMARK_KEEP_ROWS: HOW_LONG,
  TIDEMARK_KEEP_REVISIONS: HOW_LONG,
  TIDEMARK_KEEP_LATE: HOW_LONG,
  TIDEMARK_DISK_STOP: HOW_MANY,
  TIDEMARK_MAX_DATABASE: HOW_MANY,
  LOG_LEVEL: LOG_LEVELS.join(', '),
  NODE_ENV: NODE_ENVS.join(', '),
}

/** Every environment variable that Tidemark reads. An empty one counts as unset. */
const Env = z.object({
  DATABASE_URL: z.string().refine(isPostgresUrl).optional(),
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/)
    .default(DEFAULTS.HOST),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port >= 1 && port <= 65_535)
    .default(DEFAULTS.PORT),
  TIDEMARK_DATA_DIR: z.string().optional(),
  TIDEMARK_SPEC: z.string().optional(),
  TIDEMARK_KEEP_JOURNAL: KeepFor.optional(),
  TIDEMARK_KEEP_ROWS: KeepFor.optional(),
  TIDEMARK_KEEP_REVISIONS: KeepFor.optional(),
  TIDEMARK_KEEP_LATE: KeepFor.optional(),
  TIDEMARK_DISK_STOP: Bytes.optional(),
  TIDEMARK_MAX_DATABASE: Bytes.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS).default(DEFAULTS.LOG_LEVEL),
  NODE_ENV: z.enum(NODE_ENVS).default(DEFAULTS.NODE_ENV),
})
export type Env = z.infer<typeof Env>

function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
}

/**
 * Reads the environment. Throws StartupError that names each variable at fault, its value and what is allowed.
 * @param variables as in `process.env`
 */
export function readEnv(variables: Readonly<Record<string, string | undefined>> = process.env): Env {
  const given = Object.fromEntries(Object.keys(allowed).map((name) => [name, variables[name] || undefined]))
  const parsed = Env.safeParse(given)
  if (parsed.success) return parsed.data
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))]
  const faults = names.map((name) => `${name} is ${shown(name, given[name])}`)
  const rules = names.map((name) => `${name}: ${allowed[name as keyof Env]}`)
  throw new StartupError(
    `the environment is not right: ${faults.join('; ')}`,
    `Allowed:\n${rules.join('\n')}`,
  )
}

/** A URL of a database may hold a password, even one that cannot be read as a URL. */
function shown(name: string, value: string | undefined): string {
  if (name !== 'DATABASE_URL') return JSON.stringify(value)
  const scheme = /^[a-z][a-z0-9+]{0,15}:\/\//i.exec(value ?? '')?.[0]
  return scheme ? `${scheme}… (the rest is not shown)` : 'no URL (its text is not shown)'
}
