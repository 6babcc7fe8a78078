import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { TopBar } from './features/shell/topBar'
import './globals.css'
import { Providers } from './lib/providers'
import { THEME_SCRIPT } from './lib/theme'

export const metadata: Metadata = {
  title: { default: 'Tidemark', template: '%s · Tidemark' },
  description: 'Live GMV, and how far to trust it.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f8f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1116' },
  ],
}

/** `suppressHydrationWarning`: the script in the head sets the theme before React looks, so that nothing flashes. */
export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant; it must run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>
        <Providers>
          <a
            href="#main"
            className="sr-only focus:not-sr-only focus:absolute focus:left-4 focus:top-2 focus:z-50"
          >
            Skip to the figures
          </a>
          <TopBar />
          {children}
        </Providers>
      </body>
    </html>
  )
}
