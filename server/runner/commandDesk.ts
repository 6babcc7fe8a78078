import type { CommandDone } from '../contracts/flush'
import { AppError } from '../platform/errors'

interface Waiting {
  readonly resolve: (done: CommandDone) => void
  readonly reject: (error: AppError) => void
}

/**
 * Brings what came of a command back to who gave it. A command is *being appended*, then *waits* at its position until
 * the record there is folded. The fold may come first, before the append's answer is heard; so outcomes are kept while
 * any append is under way.
 */
export class CommandDesk {
  #appending = 0
  readonly #folded = new Map<number, CommandDone>()
  readonly #waiting = new Map<number, Waiting>()
  #closed = false

  /** Resolves with what came of the command that `append` puts into the journal. Rejects as `append` does, or when closed. */
  async give(append: () => Promise<number>): Promise<CommandDone> {
    this.#appending++
    let done: CommandDone | undefined
    let position = 0
    try {
      position = await append()
      done = this.#folded.get(position)
    } finally {
      this.#appending--
      if (this.#appending === 0) this.#folded.clear()
    }
    if (done) return done
    if (this.#closed) throw stopping()
    return new Promise((resolve, reject) => this.#waiting.set(position, { resolve, reject }))
  }

  /** A command was folded. */
  folded(done: CommandDone): void {
    const waiting = this.#waiting.get(done.position)
    this.#waiting.delete(done.position)
    if (waiting) waiting.resolve(done)
    else if (this.#appending > 0) this.#folded.set(done.position, done)
  }

  /** Nothing more is folded here: who still waits is told so. */
  close(): void {
    this.#closed = true
    for (const waiting of this.#waiting.values()) waiting.reject(stopping())
    this.#waiting.clear()
  }
}

function stopping(): AppError {
  return new AppError(
    'journal_unavailable',
    'Tidemark is stopping. The command is in the journal and is carried out at the next start; the list of commands will say what came of it.',
    { retryAfter: 5 },
  )
}
