import { z } from 'zod'
import { procedure, router } from '../init'

const instant = z.number().int()

const WindowsQuery = z
  .object({
    view: z.string().min(1).max(64),
    from: instant,
    to: instant,
    filter: z.record(z.string().max(64), z.string().max(128)).optional(),
    since: z.number().int().nonnegative().optional(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before from' })

/** What a business person watches. */
export const dashboardRouter = router({
  overview: procedure.query(({ ctx }) => ctx.services.overview()),
  windows: procedure.input(WindowsQuery).query(({ ctx, input }) => ctx.services.windows(input)),
  corrections: procedure
    .input(z.object({ limit: z.number().int().min(1).max(500).default(100) }))
    .query(({ ctx, input }) => ctx.services.corrections(input)),
})
