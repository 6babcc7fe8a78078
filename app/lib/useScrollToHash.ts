'use client'

import { useEffect } from 'react'

/** A link such as /console#late: the browser looks for its target before there is anything in it, so once more after. */
export function useScrollToHash(id: string, ready: boolean): void {
  useEffect(() => {
    if (ready && window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView()
  }, [id, ready])
}
