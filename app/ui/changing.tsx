'use client'

import { useEffect, useRef, useState } from 'react'

const CALM_MS = 2_000

/** A figure that flashes once, softly, when it changes; one that changes all the time flashes every 2 s at most. */
export function Changing({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  const last = useRef({ text, at: 0 })
  const [flash, setFlash] = useState(0)
  useEffect(() => {
    if (last.current.text === text) return
    const at = Date.now()
    const calm = at - last.current.at < CALM_MS
    last.current = { text, at: calm ? last.current.at : at }
    if (!calm) setFlash((n) => n + 1)
  }, [text])
  return (
    <span key={flash} className={`rounded-sm ${flash > 0 ? 'flash' : ''} ${className}`}>
      {text}
    </span>
  )
}
