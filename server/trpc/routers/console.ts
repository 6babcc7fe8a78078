import { procedure, router } from '../init'
import { Latest } from './inputs'

/** What an operator watches. */
export const consoleRouter = router({
  status: procedure.query(({ ctx }) => ctx.services.status()),
  quarantine: procedure.input(Latest).query(({ ctx, input }) => ctx.services.quarantine(input)),
})
