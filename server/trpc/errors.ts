import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { LIMITS } from '../contracts/limits'
import { AppError, toAppError } from '../platform/errors'

/** Which tRPC code answers with each HTTP status of our errors (platform/errors.ts). */
const CARRIERS: Readonly<Record<number, TRPCError['code']>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
  507: 'SERVICE_UNAVAILABLE',
}

/** One refused field of an input: where, and what is wrong there. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Our reading of anything that tRPC may throw, our own errors included. Never throws, never leaks. */
export function readError(error: TRPCError): AppError {
  const cause = error.cause
  if (cause instanceof AppError) return cause
  if (cause instanceof ZodError) return new AppError('bad_request', issuesInWords(issuesOf(error)))
  if (cause instanceof SyntaxError) return malformed(cause.message)
  switch (error.code) {
    case 'PAYLOAD_TOO_LARGE':
      return new AppError('body_too_large', bodyTooLarge(), { cause: error })
    case 'PARSE_ERROR':
      return malformed(error.message)
    case 'BAD_REQUEST':
      return new AppError('bad_request', error.message)
    case 'NOT_FOUND':
      return new AppError('not_found', error.message)
    case 'METHOD_NOT_SUPPORTED':
      return new AppError('method_not_allowed', error.message)
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.')
    default:
      return toAppError(error.cause ?? error)
  }
}

/** The same error under the tRPC code that answers with its HTTP status. Its cause is ours, so that it reads the same. */
export function toTrpcError(error: TRPCError): TRPCError {
  const ours = readError(error)
  return new TRPCError({
    code: CARRIERS[ours.status] ?? 'INTERNAL_SERVER_ERROR',
    message: ours.message,
    cause: error.cause instanceof ZodError ? error.cause : ours,
  })
}

export function issuesOf(error: TRPCError): readonly Issue[] {
  if (!(error.cause instanceof ZodError)) return []
  return error.cause.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}

function issuesInWords(issues: readonly Issue[]): string {
  const parts = issues.slice(0, 5).map(({ path, message }) => `${path || 'the input'}: ${message}`)
  const rest = issues.length - parts.length
  return `${parts.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}

/** tRPC gives a body that is no JSON as BAD_REQUEST around the parser's own SyntaxError. */
function malformed(why: string): AppError {
  return new AppError('malformed_body', `The body is not valid JSON: ${why}. Nothing was taken.`)
}

function bodyTooLarge(): string {
  const mebibytes = LIMITS.bodyBytes / 1024 / 1024
  return (
    `The body is larger than ${mebibytes} MiB (${LIMITS.bodyBytes} bytes), the limit of one request. ` +
    `Nothing was taken. Send the events in smaller requests, at most ${LIMITS.eventsPerRequest} each.`
  )
}
