'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFeed } from './liveContext'
import { trpc } from './trpc'
import { useAskAgain } from './useAskAgain'
import { useStatus } from './useStatus'

const EVERY_MS = 10_000

/** Today and the trust figures. Asked every 10 s: what moves faster comes over the socket. */
export function useOverview() {
  const feed = useFeed()
  const query = useQuery(trpc.dashboard.overview.queryOptions(undefined, { refetchInterval: EVERY_MS }))
  const counts = useStatus().status?.counts
  useAskAgain(counts && counts.late + counts.corrected, query.refetch)
  const now = query.data?.now
  useEffect(() => {
    if (now !== undefined) feed.hearClock(now)
  }, [feed, now])
  return query
}
