import { initTRPC } from '@trpc/server'
import type { Context } from './context'
import { issuesOf, readError, toTrpcError } from './errors'

/** Plain JSON on the wire, no transformer, so that `curl` works (design.md §3). `isDev` off: no stacks, ever. */
const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter({ shape, error, ctx }) {
    const { code, status, retryAfter, message } = readError(error)
    const data = {
      code,
      httpStatus: status,
      retryAfter,
      issues: issuesOf(error),
      requestId: ctx?.requestId ?? null,
    }
    return { ...shape, message, data }
  },
})

/** tRPC wraps what a procedure throws as INTERNAL_SERVER_ERROR; here it gets the code of its own status. */
const withOurErrors = t.middleware(async ({ next }) => {
  const result = await next()
  if (!result.ok) throw toTrpcError(result.error)
  return result
})

export const router = t.router
export const procedure = t.procedure.use(withOurErrors)
