import { z } from 'zod'
import { Order } from '../../contracts/command'
import { EventId, LATE_STATUSES, MOST_EVENTS_A_COMMAND } from '../../contracts/lateStore'
import { LIMITS } from '../../contracts/limits'
import type { Context } from '../context'
import { procedure, router } from '../init'

const source = z.string().min(1).max(LIMITS.sourceChars)
const position = z.number().int().nonnegative().safe()

const List = z.object({
  statuses: z.array(z.enum(LATE_STATUSES)).min(1).default(['waiting', 'unverified']),
  source: source.optional(),
  /** `next` of the page before. */
  before: z.object({ position, row: z.number().int().nonnegative() }).optional(),
  limit: z.number().int().min(1).max(500).default(100),
})

const events = z
  .array(EventId)
  .min(1)
  .max(MOST_EVENTS_A_COMMAND, `at most ${MOST_EVENTS_A_COMMAND} events a command: do it in several steps`)
const reason = Order.shape.reason

const Named = z.object({ events, reason })

/** Events by their ids; or a source's stretch of event time, `[from, to)` in ms; or journal positions, both included. */
const Void = z.union([
  z.strictObject({ events, reason }),
  z.strictObject({ source, from: z.number().int(), to: z.number().int(), reason }),
  z.strictObject({
    positions: z.object({ first: position, last: position }),
    source: source.optional(),
    reason,
  }),
])

/** The late store. Whatever changes it needs an API key with the right `operator`, as `Authorization: Bearer`. */
export const lateRouter = router({
  list: procedure.input(List).query(({ ctx, input }) => ctx.services.lateList(input)),
  reinject: procedure
    .input(Named)
    .mutation(async ({ ctx, input }) => ctx.operator.reinject({ key: await keyOf(ctx), ...input })),
  writeOff: procedure
    .input(Named)
    .mutation(async ({ ctx, input }) => ctx.operator.writeOff({ key: await keyOf(ctx), ...input })),
  void: procedure.input(Void).mutation(async ({ ctx, input: { reason: why, ...selection } }) => {
    return ctx.operator.voidEvents({ key: await keyOf(ctx), reason: why, selection })
  }),
})

function keyOf(ctx: Context) {
  return ctx.authorize(ctx.authorization ?? undefined, ctx.address)
}
