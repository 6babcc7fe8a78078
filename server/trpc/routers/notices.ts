import { procedure, router } from '../init'
import { Latest } from './inputs'

/** What the engine noticed. */
export const noticesRouter = router({
  latest: procedure.input(Latest).query(({ ctx, input }) => ctx.services.notices(input)),
})
