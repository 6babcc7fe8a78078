'use client'

import { type ReactNode, useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * The server draws `fallback`, the browser what is inside. What is inside reads caches that may be filled before
 * React gets to it; drawn on both sides, the two would differ and React would throw the page away.
 */
export function AfterHydration({
  fallback,
  children,
}: {
  readonly fallback: ReactNode
  readonly children: ReactNode
}) {
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return here ? children : fallback
}
