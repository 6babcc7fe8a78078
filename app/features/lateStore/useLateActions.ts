'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '@/app/lib/explain'
import { queryClient, trpc } from '@/app/lib/trpc'
import type { EventId } from '@/server/contracts/lateStore'
import { type LateAction, whatCame } from './actions'

export interface Wish {
  readonly action: LateAction
  readonly events: readonly EventId[]
}

export interface Answer {
  readonly text: string
  readonly tone: 'done' | 'trouble'
}

/** Until what a command did is written, ms: the list would still show what was before. */
const WRITTEN_AFTER = 600

/** A wrong key is asked for again; anything else may be tried again with the same one. */
const KEY_CODES = new Set(['unauthorized', 'forbidden'])

/**
 * Does what a person asks of the late store. The operator key is asked for with the first wish, and is kept in memory
 * only: a page that is loaded anew has forgotten it. A wish that *waits for the key* is done as soon as there is one.
 */
export function useLateActions(onDone: () => void) {
  const [key, setKey] = useState<string | null>(null)
  const [waiting, setWaiting] = useState<Wish | null>(null)
  const [doing, setDoing] = useState<Wish | null>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const context = { trpc: { context: { key } } }
  const give = {
    putBack: useMutation(trpc.late.reinject.mutationOptions(context)),
    writeOff: useMutation(trpc.late.writeOff.mutationOptions(context)),
    takeOut: useMutation(trpc.late.void.mutationOptions(context)),
  }

  async function carryOut({ action, events }: Wish): Promise<void> {
    setAnswer(null)
    setDoing({ action, events })
    try {
      const { outcome } = await give[action].mutateAsync({ events: [...events], reason: 'from the console' })
      const { text, refused } = whatCame(outcome)
      await shownAnew()
      setAnswer({ text, tone: refused ? 'trouble' : 'done' })
      onDone()
    } catch (error) {
      setAnswer(troubleOf(error))
      if (KEY_CODES.has(codeOf(error))) {
        setKey(null)
        setWaiting({ action, events })
      }
    } finally {
      setDoing(null)
    }
  }

  return {
    answer,
    doing,
    /** What waits for the operator's key; null: nothing does. */
    waiting,
    ask: (wish: Wish) => (key === null ? setWaiting(wish) : void carryOut(wish)),
    enterKey: (entered: string) => setKey(entered),
    forget: () => setWaiting(null),
    /** To be called once the key stands: the mutations carry it from the next rendering on. */
    go: () => {
      if (key === null || !waiting) return
      setWaiting(null)
      void carryOut(waiting)
    },
    hasKey: key !== null,
  }
}

/** The lists and the money that waits, once they are what the command made of them. */
async function shownAnew(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, WRITTEN_AFTER))
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.late.list.queryKey() }),
    queryClient.invalidateQueries({ queryKey: trpc.dashboard.overview.queryKey() }),
  ])
}

function troubleOf(error: unknown): Answer {
  if (codeOf(error) === 'unauthorized') {
    return { text: 'This is no operator key that Tidemark knows. Nothing was changed.', tone: 'trouble' }
  }
  const { happened } = explain(error)
  return { text: `${happened} Nothing was changed.`, tone: 'trouble' }
}

function codeOf(error: unknown): string {
  const data = (error as { data?: { code?: unknown } | null } | null)?.data
  return typeof data?.code === 'string' ? data.code : ''
}
