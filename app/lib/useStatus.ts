'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PipelineStatus } from '@/server/contracts/status'
import { useFeed, useLive } from './liveContext'
import { trpc } from './trpc'

export interface StatusAnswer {
  readonly status: PipelineStatus | null
  readonly now: number
  readonly error: unknown
  readonly retry: () => void
}

/** How the pipeline stands: from the socket each second, from a query until it speaks and whenever it is silent. */
export function useStatus(): StatusAnswer {
  const live = useLive()
  const feed = useFeed()
  const quiet = live.state !== 'live'
  const query = useQuery(
    trpc.console.status.queryOptions(undefined, { enabled: quiet, refetchInterval: quiet ? 5_000 : false }),
  )
  const asked = query.data ?? null
  useEffect(() => {
    if (asked) feed.hearClock(asked.now)
  }, [feed, asked])
  const status = live.health && (!asked || live.health.now >= asked.now) ? live.health : asked
  return { status, now: live.now, error: status ? null : query.error, retry: () => void query.refetch() }
}
