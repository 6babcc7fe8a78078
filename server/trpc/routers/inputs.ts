import { z } from 'zod'

/** How many of a list, newest first. */
export const Latest = z.object({ limit: z.number().int().min(1).max(500).default(100) })

const instant = z.number().int()

const Range = z.object({
  view: z.string().min(1).max(64),
  from: instant,
  to: instant,
  filter: z.record(z.string().max(64), z.string().max(128)).optional(),
})

const inOrder = {
  check: ({ from, to }: { from: number; to: number }) => from <= to,
  params: { path: ['to'], message: 'must not be before from' },
}

/** The windows of a view that start in `[from, to)`, ms. */
export const RangeQuery = Range.refine(inOrder.check, inOrder.params)

export const WindowsQuery = Range.extend({ since: z.number().int().nonnegative().optional() }).refine(
  inOrder.check,
  inOrder.params,
)
