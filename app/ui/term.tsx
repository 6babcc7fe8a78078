'use client'

import { Tooltip } from 'radix-ui'
import { type ReactNode, useState } from 'react'

interface TermProps {
  readonly children: ReactNode
  /** Two lines at most: what it is, and what follows from it. */
  readonly help: string
  readonly className?: string
}

/** A term with its explanation: on hover, on focus, and on a tap (a phone has no hover). */
export function Term({ children, help, className = '' }: TermProps) {
  const [open, setOpen] = useState(false)
  return (
    <Tooltip.Root open={open} onOpenChange={setOpen}>
      <Tooltip.Trigger
        type="button"
        className={`term text-left ${className}`}
        onClick={(event) => {
          // Radix closes on a click; a tap is the only way in on a phone.
          event.preventDefault()
          setOpen(true)
        }}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-w-72 rounded-md border border-line bg-raised px-3 py-2 font-normal text-ink-2 text-sm shadow-lg"
        >
          {help}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
