'use client'

import { useState } from 'react'

/** A command to take away. Copying may be forbidden (plain http): then it can still be selected. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className="mt-3 rounded-md border border-line bg-canvas">
      <div className="flex items-center justify-between border-line border-b px-3 py-1 text-sm">
        <span>{label}</span>
        <button type="button" onClick={copy} className="text-accent hover:underline">
          {copied ? 'copied' : 'copy'}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-ink text-sm">
        {text}
      </pre>
    </div>
  )
}
