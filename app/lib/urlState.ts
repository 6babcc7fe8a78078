'use client'

import { useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

/** One choice kept in the URL, so that a link shows what its sender saw. The default is not written out. */
export function useUrlChoice<T extends string>(
  name: string,
  choices: readonly T[],
  fallback: T,
): readonly [T, (next: T) => void] {
  const raw = useSearchParams().get(name)
  const value = choices.find((choice) => choice === raw) ?? fallback
  const set = useCallback((next: T) => writeParam(name, next === fallback ? null : next), [name, fallback])
  return [value, set]
}

/** A free value in the URL, such as a currency; null when it is not there. */
export function useUrlText(name: string): readonly [string | null, (next: string) => void] {
  const value = useSearchParams().get(name)
  const set = useCallback((next: string) => writeParam(name, next), [name])
  return [value, set]
}

function writeParam(name: string, value: string | null): void {
  const params = new URLSearchParams(window.location.search)
  if (value === null) params.delete(name)
  else params.set(name, value)
  const query = params.toString()
  window.history.replaceState(null, '', `${window.location.pathname}${query ? `?${query}` : ''}`)
}
