import { AppError } from '../platform/errors'

export interface AdmissionLimits {
  /** Requests between their first byte and their answer. */
  readonly requestsInFlight: number
  /** Bytes of bodies that those hold, as received and unpacked. */
  readonly bytesWaiting: number
}

/** A request's place. `hold` counts bytes it keeps in memory; `leave` gives all back, and may be called twice. */
export interface Ticket {
  hold(bytes: number): void
  leave(): void
}

/**
 * Bounds what waits in memory for the journal (field case 50): a queue that may grow is a process that dies.
 * Refuses with `too_many_requests_in_flight` (503, Retry-After), before anything of the request is taken.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  #requests = 0
  #bytes = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  get inFlight(): number {
    return this.#requests
  }

  get bytesWaiting(): number {
    return this.#bytes
  }

  enter(): Ticket {
    if (this.#requests >= this.#limits.requestsInFlight) {
      throw full(`${this.#requests} requests are in flight, which is the most`)
    }
    this.#requests++
    let held = 0
    let open = true
    return {
      hold: (bytes) => {
        if (this.#bytes + bytes > this.#limits.bytesWaiting) {
          throw full(`bodies of ${this.#bytes} bytes wait, of at most ${this.#limits.bytesWaiting}`)
        }
        held += bytes
        this.#bytes += bytes
      },
      leave: () => {
        if (!open) return
        open = false
        this.#requests--
        this.#bytes -= held
      },
    }
  }
}

function full(why: string): AppError {
  return new AppError(
    'too_many_requests_in_flight',
    `Tidemark is busy: ${why}. Nothing was stored; send the same again`,
  )
}
