import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: ReactNode
  /** For the section's accessible name where the title is not plain text. */
  readonly name: string
  readonly id?: string
  readonly aside?: ReactNode
  readonly foot?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A titled region. Each panel loads, fails and explains itself on its own. */
export function Panel({ title, name, id, aside, foot, className = '', children }: PanelProps) {
  return (
    <section
      id={id}
      aria-label={name}
      className={`panel flex min-w-0 scroll-mt-28 flex-col rounded-lg border border-line bg-panel ${className}`}
    >
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-2 pb-1">
        <h2 className="font-semibold text-base">{title}</h2>
        {aside}
      </header>
      <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      {foot ? <footer className="border-line border-t px-4 py-2 text-ink-3 text-xs">{foot}</footer> : null}
    </section>
  )
}
