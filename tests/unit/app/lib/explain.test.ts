import { TRPCClientError } from '@trpc/client'
import { expect, it } from 'vitest'
import { explain } from '@/app/lib/explain'

const refusal = (code: string, message: string, requestId: string | null = 'r-1') =>
  TRPCClientError.from({ error: { message, code: -32000, data: { code, requestId } } } as never)

it('an unknown view is said with the views that there are, and what to do', () => {
  const said = explain(refusal('not_found', 'There is no view "gmv_total_1m". The views are gmv_1m, gmv_1h'))
  expect(said.happened).toBe('There is no view "gmv_total_1m". The views are gmv_1m, gmv_1h.')
  expect(said.advice).toContain('Add it to the views of the pipeline spec')
})

it('a fault of ours names the request, so that the log can be searched', () => {
  expect(explain(refusal('internal', 'x')).advice).toContain('for request r-1')
})

it('no answer at all is said as that', () => {
  expect(explain(new TypeError('Failed to fetch')).happened).toBe('The server did not answer.')
})
