'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { LiveProvider } from './liveContext'
import { queryClient } from './trpc'

export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={200}>
        <LiveProvider>{children}</LiveProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  )
}
