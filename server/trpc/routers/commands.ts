import { z } from 'zod'
import { ClockCommand, Order } from '../../contracts/command'
import { procedure, router } from '../init'
import { Latest } from './inputs'

const Give = z.object({ command: ClockCommand, reason: Order.shape.reason })

/** What an operator tells the engine, and what was told. */
export const commandsRouter = router({
  /** The definition in force, as `changeSpec` takes it: durations in ms. */
  spec: procedure.query(({ ctx }) => ctx.services.spec()),
  latest: procedure.input(Latest).query(({ ctx, input }) => ctx.services.commands(input)),
  /** Needs an API key with the right `operator`, as `Authorization: Bearer`. */
  give: procedure.input(Give).mutation(async ({ ctx, input }) => {
    const key = await ctx.authorize(ctx.authorization ?? undefined, ctx.address)
    return ctx.operator.giveCommand({ key, ...input })
  }),
})
