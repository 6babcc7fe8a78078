'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readTheme, THEMES, type Theme, writeTheme } from '../lib/theme'

const ICONS = { system: Monitor, light: Sun, dark: Moon }

/** system → light → dark. What it is is known only in the browser, so the icon comes after the first paint. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<Theme | null>(null)
  useEffect(() => setTheme(readTheme()), [])
  const shown = theme ?? 'system'
  const next = THEMES[(THEMES.indexOf(shown) + 1) % THEMES.length] ?? 'system'
  const Icon = ICONS[shown]
  return (
    <button
      type="button"
      aria-label={`Theme: ${shown}. Change to ${next}.`}
      title={`Theme: ${shown}`}
      onClick={() => {
        writeTheme(next)
        setTheme(next)
      }}
      className="rounded-md p-1.5 text-ink-2 hover:bg-line hover:text-ink"
    >
      <Icon size={16} aria-hidden className={theme ? '' : 'opacity-0'} />
    </button>
  )
}
