import { PairSet } from '../aggregate/pairSet'
import type { LiveKeys } from '../windows/liveKeys'
import { Session } from '../windows/session'
import type { WindowOf } from '../windows/windowState'
import { restoreLiveKeys, saveLiveKeys } from './liveKeys'
import type { SegmentReader, SegmentWriter } from './segment'
import { readBirth, restoreWindow, saveWindow } from './window'

/** Everything of a session view that outlives a record. */
export interface SessionParts {
  readonly numbered: number
  readonly names: LiveKeys
  readonly sessions: readonly Session[]
}

export function saveSessions(parts: SessionParts, out: SegmentWriter): void {
  out.number(parts.numbered)
  saveLiveKeys(parts.names, out)
  out.number(parts.sessions.length)
  for (const session of parts.sessions) {
    out.number(session.keyId).number(session.longestLateness).flag(session.replaces)
    saveWindow(session, out)
    out.column(Float64Array.from(session.holders)).column(session.distinct.save())
  }
}

export function restoreSessions(of: WindowOf, from: SegmentReader): SessionParts {
  const numbered = from.number()
  const names = restoreLiveKeys(from)
  const sessions = Array.from({ length: from.number() }, () => restoreSession(of, names, from))
  return { numbered, names, sessions }
}

function restoreSession(of: WindowOf, names: LiveKeys, from: SegmentReader): Session {
  const keyId = from.number()
  const longestLateness = from.number()
  const replaces = from.flag()
  const session = new Session(readBirth(of, from), names.byId(keyId).parts, keyId)
  session.longestLateness = longestLateness
  session.replaces = replaces
  restoreWindow(session, from)
  session.holders = [...from.doubles()]
  session.distinct = PairSet.restore(from.ints())
  return session
}
