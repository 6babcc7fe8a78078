import type { JournalEntry } from '../contracts/journalRecord'
import { AppError } from '../platform/errors'
import { checksumOf, encodeEntry, KIND_NUMBERS } from './codec'

/** An entry that waits for its place in the journal, and who waits for the answer. */
export interface Waiting {
  readonly entry: JournalEntry
  readonly body: Uint8Array
  readonly checksum: number
  readonly resolve: (position: number) => void
  readonly reject: (error: AppError) => void
}

export interface QueueLimits {
  /** Bytes of bodies that may wait in all; beyond, producers are told to come back. */
  readonly waitingBytes: number
  /** Entries and bytes that one INSERT takes. */
  readonly groupEntries: number
  readonly groupBytes: number
}

/** What the journal puts in front of a group of its own accord, and how many entries such a group may take. */
export interface GroupFront {
  readonly most: number
  lead(entries: readonly JournalEntry[]): JournalEntry | null
}

const NO_FRONT: GroupFront = { most: Number.POSITIVE_INFINITY, lead: () => null }

export const QUEUE_LIMITS: QueueLimits = {
  waitingBytes: 64 * 1024 * 1024,
  groupEntries: 64,
  groupBytes: 8 * 1024 * 1024,
}

/** Entries in the order in which they came, bounded by bytes: memory does not grow while the database is slow. */
export class AppendQueue {
  readonly #waiting: Waiting[] = []
  #bytes = 0

  constructor(private readonly limits: QueueLimits = QUEUE_LIMITS) {}

  get size(): number {
    return this.#waiting.length
  }

  /** Adds an entry; its promise settles when the group that holds it has. Throws `journal_full`, keeping nothing. */
  add(entry: JournalEntry): Promise<number> {
    const { body, checksum } = encode(entry)
    if (this.#bytes + body.length > this.limits.waitingBytes) {
      throw new AppError(
        'journal_full',
        `${this.limits.waitingBytes} bytes wait to be written; send again shortly.`,
        {
          retryAfter: 2,
        },
      )
    }
    this.#bytes += body.length
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, body, checksum, resolve, reject })
    })
  }

  /** Takes what one INSERT will hold: group commit. What the journal itself puts in front, nobody waits for. */
  take(front: GroupFront = NO_FRONT): Waiting[] {
    const most = Math.min(this.limits.groupEntries, front.most)
    let bytes = 0
    let count = 0
    for (const { body } of this.#waiting) {
      if (count > 0 && (count >= most || bytes + body.length > this.limits.groupBytes)) break
      bytes += body.length
      count++
    }
    this.#bytes -= bytes
    const group = this.#waiting.splice(0, count)
    const lead = count > 0 ? front.lead(group.map(({ entry }) => entry)) : null
    return lead ? [{ ...encode(lead), entry: lead, resolve: ignore, reject: ignore }, ...group] : group
  }

  rejectAll(error: AppError): void {
    this.#bytes = 0
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
  }
}

function encode(entry: JournalEntry): { body: Uint8Array; checksum: number } {
  const body = encodeEntry(entry)
  return { body, checksum: checksumOf(KIND_NUMBERS[entry.kind], entry.at, body) }
}

function ignore(): void {}
