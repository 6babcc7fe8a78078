import { z } from 'zod'
import { procedure, router } from '../init'

const Limit = z.object({ limit: z.number().int().min(1).max(500).default(100) })

/** What an operator watches. */
export const consoleRouter = router({
  status: procedure.query(({ ctx }) => ctx.services.status()),
  late: procedure.input(Limit).query(({ ctx, input }) => ctx.services.late(input)),
  quarantine: procedure.input(Limit).query(({ ctx, input }) => ctx.services.quarantine(input)),
})
