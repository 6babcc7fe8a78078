import { QueryClient } from '@tanstack/react-query'
import { createTRPCClient, httpLink } from '@trpc/client'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import type { AppRouter } from '@/server/trpc/router'

/**
 * One request a panel (no batching): a slow or failing panel does not hold or fail its neighbours.
 * A refetch never hides data: what was last known stays until something newer is there.
 */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 2_000, refetchOnWindowFocus: true } },
})

/** A call that carries a person's key in its context; everything else goes without one. */
function keyHeaders({ op }: { op: { context: Record<string, unknown> } }): Record<string, string> {
  const { key } = op.context
  return typeof key === 'string' ? { authorization: `Bearer ${key}` } : {}
}

/** Queries run in the browser only (no server rendering of data), so one client a module is one client a tab. */
export const trpc = createTRPCOptionsProxy<AppRouter>({
  client: createTRPCClient<AppRouter>({ links: [httpLink({ url: '/api/trpc', headers: keyHeaders })] }),
  queryClient,
})
