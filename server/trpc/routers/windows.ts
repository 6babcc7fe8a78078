import { procedure, router } from '../init'
import { RangeQuery } from './inputs'

/** Figures over a span of windows. */
export const windowsRouter = router({
  distinct: procedure.input(RangeQuery).query(({ ctx, input }) => ctx.services.distinct(input)),
})
