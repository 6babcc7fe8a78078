/**
 * Every error that may reach a person or a producer, by code: whose fault, whether sending again can help, and the
 * HTTP status. Anything that is not an AppError is ours to mend and leaves no trace of its insides on the wire.
 */
export const ERRORS = {
  malformed_body: { status: 400, retry: false },
  bad_request: { status: 400, retry: false },
  unauthorized: { status: 401, retry: false },
  forbidden: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  method_not_allowed: { status: 405, retry: false },
  request_timeout: { status: 408, retry: true },
  body_too_large: { status: 413, retry: false },
  too_many_events: { status: 413, retry: false },
  unsupported_media_type: { status: 415, retry: false },
  rate_limited: { status: 429, retry: true },
  too_many_requests_in_flight: { status: 503, retry: true },
  journal_full: { status: 503, retry: true },
  journal_unavailable: { status: 503, retry: true },
  database_unavailable: { status: 503, retry: true },
  disk_full: { status: 507, retry: true },
  state_full: { status: 503, retry: true },
  not_leader: { status: 503, retry: true },
  starting: { status: 503, retry: true },
  internal: { status: 500, retry: true },
} as const

export type ErrorCode = keyof typeof ERRORS

/** An error with a code of the union above. `message` is written for the person who reads it. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** When to send again, whole seconds; only where that can help. */
  readonly retryAfter: number | null

  constructor(code: ErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryAfter = options.retryAfter ?? (ERRORS[code].retry ? 1 : null)
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** What may be shown of any error: an AppError as it is, everything else as `internal` without its insides. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(
    'internal',
    'Tidemark could not do this. The server log has the cause under the request id.',
    {
      cause: error,
    },
  )
}
