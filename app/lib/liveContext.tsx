'use client'

import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { INITIAL, LiveFeed, type LiveSnapshot, type RangeStart } from './live'
import { browser, socketWire } from './socketWire'

const Feed = createContext<LiveFeed | null>(null)

/** One feed, one socket, for the whole page. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [feed] = useState(() => new LiveFeed(socketWire(), browser))
  useEffect(() => {
    const onShown = () => document.visibilityState === 'visible' && feed.shown()
    feed.start()
    document.addEventListener('visibilitychange', onShown)
    return () => {
      document.removeEventListener('visibilitychange', onShown)
      feed.stop()
    }
  }, [feed])
  return <Feed value={feed}>{children}</Feed>
}

export function useFeed(): LiveFeed {
  const feed = useContext(Feed)
  if (!feed) throw new Error('useFeed needs a LiveProvider above it')
  return feed
}

export function useLive(): LiveSnapshot {
  const feed = useFeed()
  return useSyncExternalStore(feed.subscribe, feed.read, () => INITIAL)
}

/** Follows a view. `start` must be stable (useCallback); null: not yet known from when on. */
export function useWatch(view: string, start: RangeStart | null): void {
  const feed = useFeed()
  useEffect(() => {
    if (start) feed.watch(view, start)
  }, [feed, view, start])
}
