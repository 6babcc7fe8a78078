import type { RequestListener } from 'node:http'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import { LIMITS } from '../contracts/limits'
import type { AppError } from '../platform/errors'
import { createContext, type TrpcDeps } from './context'
import { readError } from './errors'
import { appRouter } from './router'

export const TRPC_BASE = '/api/trpc/'

export interface TrpcFailure {
  readonly requestId: string | null
  readonly path: string | undefined
  /** What the caller was told; `error.cause` has what happened. */
  readonly error: AppError
}

/** tRPC has no code for 507; whole answers that are one get it all the same. */
function carried(errors: readonly Parameters<typeof readError>[0][]): { status?: number } {
  const full = errors.length > 0 && errors.every((error) => readError(error).status === 507)
  return full ? { status: 507 } : {}
}

/** Answers everything under `/api/trpc/`. `report` gets each refusal and failure, for the log. */
export function createTrpcHandler(deps: TrpcDeps, report?: (failure: TrpcFailure) => void): RequestListener {
  return createHTTPHandler({
    router: appRouter,
    basePath: TRPC_BASE,
    maxBodySize: LIMITS.bodyBytes,
    createContext: ({ req, res }) => createContext(deps, req, res),
    onError: ({ error, path, ctx }) =>
      report?.({ requestId: ctx?.requestId ?? null, path, error: readError(error) }),
    responseMeta({ errors }) {
      const waits = errors.map((error) => readError(error).retryAfter ?? 0)
      const wait = Math.max(0, ...waits)
      return { ...carried(errors), ...(wait > 0 && { headers: { 'retry-after': String(wait) } }) }
    },
  })
}
