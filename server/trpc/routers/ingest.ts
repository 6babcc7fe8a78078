import { z } from 'zod'
import { LIMITS } from '../../contracts/limits'
import type { Context } from '../context'
import { procedure, router } from '../init'

const source = z.string().min(1).max(LIMITS.sourceChars)

/** The envelope only: each event is checked by the edge, so that a bad one never fails its neighbours. */
const Envelope = z.object({ source, events: z.array(z.unknown()) })

/** A mark is read by the edge, too; a call without one is a mistake of the call. */
const MarkEnvelope = z.object({
  source,
  mark: z
    .unknown()
    .refine((mark) => mark !== undefined, 'is missing: send epoch time or ISO 8601 with offset'),
})

/** What a producer's developer calls. */
export const ingestRouter = router({
  /** Events, and marks among them as `{"mark": t}`. */
  push: procedure.input(Envelope).mutation(({ ctx, input }) => push(ctx, input.source, input.events)),
  /** A punctuated source's mark by itself: nothing before it is still to come (semantics.md §2). */
  mark: procedure
    .input(MarkEnvelope)
    .mutation(({ ctx, input }) => push(ctx, input.source, [{ mark: input.mark }])),
})

function push({ ingest, authorization, address }: Context, source: string, events: readonly unknown[]) {
  return ingest.push({ source, events, authorization, address })
}
