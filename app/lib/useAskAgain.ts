'use client'

import { useEffect, useRef } from 'react'

/** Counters run ahead of the database by a flush of up to 250 ms. */
const AFTER_MS = 600

/** Asks a query again soon after a counter moved, so that a list follows its count instead of the next poll. */
export function useAskAgain(counter: number | undefined, refetch: () => unknown): void {
  const ask = useRef(refetch)
  ask.current = refetch
  const seen = useRef(counter)
  useEffect(() => {
    if (seen.current === undefined || counter === seen.current) {
      seen.current = counter
      return
    }
    const timer = setTimeout(() => {
      seen.current = counter
      ask.current()
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [counter])
}
