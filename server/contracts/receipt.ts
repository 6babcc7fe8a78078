import { z } from 'zod'
import { QUARANTINE_CODES } from './quarantine'

/** What a producer gets back for one request; it exists only once the events are durable (design.md §3). */
export const Receipt = z.object({
  /**
   * `received = accepted + quarantined.length`. Accepted events still may turn out late or duplicate. Accepted marks
   * are not among them; a mark that was set aside is.
   */
  received: z.number().int(),
  accepted: z.number().int(),
  /** Marks that were accepted (semantics.md §2, punctuated). */
  marks: z.number().int(),
  quarantined: z.array(
    z.object({
      index: z.number().int(),
      eventId: z.string().nullable(),
      code: z.enum(QUARANTINE_CODES),
      message: z.string(),
    }),
  ),
  /** Journal position that holds the request; null when there was nothing to keep (an empty list). */
  position: z.number().int().nullable(),
})
export type Receipt = z.infer<typeof Receipt>
