'use client'

import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { useFeed, useLive, useWatch } from '@/app/lib/liveContext'
import { trpc } from '@/app/lib/trpc'
import type { Revision, WindowRow } from '@/server/contracts/windowRow'
import { MINUTE, type Minute, prepareMinutes, rangeStart } from './prepare'

export const MINUTE_VIEW = 'gmv_total_1m'
const NO_ROWS: readonly WindowRow[] = []

export interface Minutes {
  readonly rows: readonly WindowRow[]
  /** undefined until something answered. */
  readonly minutes: readonly Minute[] | undefined
  readonly error: unknown
  readonly retry: () => void
}

/**
 * Rows of the last `minutes`, from the socket; from a query for the first paint and while the socket is silent.
 * `serverNow` null: the server's clock is not known yet, and a range by this machine's clock could be any.
 */
export function useMinutes(
  serverNow: number | null,
  minutes: number,
  currency: string | null,
  corrections: readonly Revision[],
): Minutes {
  const feed = useFeed()
  const live = useLive()
  useWatch(
    MINUTE_VIEW,
    useCallback((now: number) => rangeStart(now, minutes), [minutes]),
  )
  const from = serverNow === null ? null : rangeStart(serverNow, minutes)
  const query = useQuery(
    trpc.dashboard.windows.queryOptions(
      { view: MINUTE_VIEW, from: from ?? 0, to: (from ?? 0) + (minutes + 5) * MINUTE },
      {
        enabled: from !== null,
        refetchInterval: live.state === 'live' ? false : 5_000,
        placeholderData: (previous) => previous,
      },
    ),
  )
  const page = query.data
  useEffect(() => {
    if (page) feed.offer(MINUTE_VIEW, page.windows)
  }, [feed, page])
  const rows = live.rows[MINUTE_VIEW] ?? NO_ROWS
  const known = page !== undefined || rows.length > 0
  // Painted by the minute, not by the second: the same minute and the same rows are the same picture.
  const prepared = useMemo(
    () =>
      from === null
        ? undefined
        : prepareMinutes({
            rows,
            corrections,
            currency: currency ?? '',
            now: from + (minutes - 1) * MINUTE,
            minutes,
          }),
    [rows, corrections, currency, from, minutes],
  )
  return {
    rows,
    minutes: known ? prepared : undefined,
    error: known ? null : query.error,
    retry: () => void query.refetch(),
  }
}
