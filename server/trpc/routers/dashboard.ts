import { procedure, router } from '../init'
import { Latest, WindowsQuery } from './inputs'

/** What a business person watches. */
export const dashboardRouter = router({
  overview: procedure.query(({ ctx }) => ctx.services.overview()),
  windows: procedure.input(WindowsQuery).query(({ ctx, input }) => ctx.services.windows(input)),
  corrections: procedure.input(Latest).query(({ ctx, input }) => ctx.services.corrections(input)),
})
