import type { ReactNode } from 'react'
import { explain } from '../lib/explain'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Nothing to show is said, and what would put something here. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-1 flex-col justify-center gap-1 px-4 py-6">
      <p className="font-medium">{title}</p>
      {children ? <div className="max-w-prose text-ink-2">{children}</div> : null}
    </div>
  )
}

/** A panel that could not load: what happened and what to do; its neighbours go on. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { happened, advice } = explain(error)
  return (
    <div role="alert" className="flex flex-1 flex-col items-start justify-center gap-1 px-4 py-6">
      <p className="font-medium text-trouble">{happened}</p>
      <p className="max-w-prose text-ink-2">{advice}</p>
      <button
        type="button"
        onClick={onRetry}
        className="mt-2 rounded-md border border-line-strong px-3 py-1 hover:bg-canvas"
      >
        Ask again
      </button>
    </div>
  )
}
