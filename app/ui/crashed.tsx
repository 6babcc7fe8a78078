'use client'

interface CrashedProps {
  readonly error: Error & { readonly digest?: string }
  readonly reset: () => void
}

/** The page itself failed (not a query: each panel says that for itself). The numbers are safe on the server. */
export function Crashed({ error, reset }: CrashedProps) {
  return (
    <main id="main" className="mx-auto flex max-w-[1360px] flex-col items-start gap-1 px-4 py-12">
      <h1 className="font-semibold text-lg">This page stopped working in your browser.</h1>
      <p className="max-w-prose text-ink-2">
        The pipeline is not affected and no figure is lost. Draw the page again; if it stops again, tell who
        runs Tidemark what stands here:{' '}
        <span className="font-mono text-sm">{error.message || error.digest}</span>
      </p>
      <button type="button" onClick={reset} className="mt-3 rounded-md border border-line-strong px-3 py-1">
        Draw it again
      </button>
    </main>
  )
}
