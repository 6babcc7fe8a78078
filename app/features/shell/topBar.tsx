'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useLive } from '@/app/lib/liveContext'
import { useStatus } from '@/app/lib/useStatus'
import { ThemeToggle } from '@/app/ui/themeToggle'
import { connectionWords } from './prepare'

const PAGES = [
  { href: '/', label: 'Dashboard' },
  { href: '/console', label: 'Console' },
]

export function TopBar() {
  const here = usePathname()
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas">
      <div className="mx-auto flex h-12 max-w-[1360px] items-center gap-4 px-4 sm:gap-6">
        <Link href="/" className="flex items-center gap-2 font-semibold text-lg">
          <Mark />
          <span className="max-sm:sr-only">Tidemark</span>
        </Link>
        <nav aria-label="Pages" className="flex h-full gap-4">
          {PAGES.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              aria-current={here === href ? 'page' : undefined}
              className="flex items-center border-transparent border-y-2 text-ink-2 hover:text-ink aria-[current=page]:border-b-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-3 text-ink-2 sm:gap-4">
          <Connection />
          <Zone />
          <ThemeToggle />
        </div>
      </div>
    </header>
  )
}

/** The tide line: three levels of water, the last one the mark. */
function Mark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      aria-hidden="true"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <path d="M2 14.5h6M2 9.5h9" stroke="var(--ink-3)" />
      <path d="M2 4.5h14" stroke="var(--accent)" />
    </svg>
  )
}

const DOTS = { connecting: 'bg-ink-3', live: 'bg-good', reconnecting: 'bg-held', stale: 'bg-trouble' }

function Connection() {
  const { state, silentFor } = useLive()
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden className={`size-2 rounded-full ${DOTS[state]}`} />
      <span>{connectionWords(state, silentFor)}</span>
    </span>
  )
}

function Zone() {
  const { status } = useStatus()
  return (
    <span className="max-sm:hidden" title="Every time on this screen is in this zone">
      {status?.zone ?? ' '}
    </span>
  )
}
