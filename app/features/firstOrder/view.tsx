'use client'

import { useEffect, useState } from 'react'
import { Copyable } from '@/app/ui/copyable'
import { firstOrderCommand } from './prepare'

/** Teaches by a command that works: it is the whole way from nothing to a number. */
export function FirstOrder() {
  const [origin, setOrigin] = useState('')
  useEffect(() => setOrigin(window.location.origin), [])
  return <Copyable label="Send a first order" text={firstOrderCommand(origin)} />
}
