'use client'

import { useState } from 'react'

/** A command to take away. Copying may be forbidden (plain http): then it can still be selected. */
export function Copyable({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className="relative mt-2 rounded-md border border-line bg-canvas">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it */}
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-16 font-mono text-ink text-sm">
        {text}
      </pre>
      <button
        type="button"
        onClick={copy}
        className="absolute top-2 right-2 rounded border border-line bg-panel px-2 text-ink-2 text-sm leading-5 hover:text-ink"
      >
        {copied ? 'copied' : 'copy'}
      </button>
    </div>
  )
}
