'use client'

import { type FormEvent, useState } from 'react'

interface KeyFormProps {
  readonly onKey: (key: string) => void
  readonly onCancel: () => void
}

/** Asks for the operator key, once: it is kept by the page, and nowhere else. */
export function KeyForm({ onKey, onCancel }: KeyFormProps) {
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim() !== '') onKey(key.trim())
  }
  return (
    <form
      onSubmit={submit}
      className="mx-4 my-2 flex flex-col gap-2 rounded-md border border-line-strong bg-canvas p-3"
    >
      <label htmlFor="operator-key" className="font-medium">
        Operator key
      </label>
      <p className="max-w-prose text-ink-2 text-sm">
        Whoever changes figures is named in the audit. This page keeps the key until it is closed or loaded
        again. <code className="font-mono">npm run keys -- create NAME --operator</code> makes one.
      </p>
      <div className="flex flex-wrap gap-2">
        <input
          id="operator-key"
          type="password"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it opens because a button was pressed, and is what comes next
          autoFocus
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="tm_…"
          className="min-w-0 flex-1 basis-60 rounded-md border border-line-strong bg-panel px-2 py-1 font-mono"
        />
        <button type="submit" className="rounded-md border border-line-strong px-3 py-1 hover:bg-panel">
          Go on
        </button>
        <button type="button" onClick={onCancel} className="px-2 py-1 text-ink-2 hover:text-ink">
          Cancel
        </button>
      </div>
    </form>
  )
}
