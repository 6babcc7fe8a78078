import { z } from 'zod'
import { LIMITS } from '../../contracts/limits'
import { procedure, router } from '../init'

/** The envelope only: each event is checked by the edge, so that a bad one never fails its neighbours. */
const Envelope = z.object({
  source: z.string().min(1).max(LIMITS.sourceChars),
  events: z.array(z.unknown()),
})

/** What a producer's developer calls. */
export const ingestRouter = router({
  push: procedure.input(Envelope).mutation(({ ctx, input }) =>
    ctx.ingest.push({
      source: input.source,
      events: input.events,
      authorization: ctx.authorization,
      address: ctx.address,
    }),
  ),
})
