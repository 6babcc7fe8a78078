import { Temporal } from 'temporal-polyfill'

const DAY = 86_400_000
/**
 * How far a stretch of one offset is followed, ms. Temporal looks for transitions three years ahead at least, and from
 * there on as far as today's date goes; to ask for less keeps results apart from the day on which they are computed.
 */
const FOLLOWED = 730 * DAY

interface Stretch {
  /** `[from, to)`, in which the zone's offset from UTC is `offset`; all ms. */
  readonly from: number
  readonly to: number
  readonly offset: number
}

/**
 * What the clock on the wall of a zone shows. Wall-clock times are ms as if they were UTC. Offsets are taken to the
 * second: before 1900 most zones were some seconds off a minute.
 */
export class WallClock {
  readonly #zone: string
  #last: Stretch = { from: 0, to: 0, offset: 0 }

  /** `zone` is an IANA name; a spec is checked before. */
  constructor(zone: string) {
    this.#zone = zone
  }

  /** What it shows at an instant. Throws RangeError for an unknown zone, and outside of the years ±271,000. */
  wallAt(instant: number): number {
    return instant + this.#stretchAt(instant).offset
  }

  /**
   * The first instant at which it shows `wall` or more: where `wall` is left out, the instant at which the clock was
   * put forward over it; where it comes twice, the first. Never falls as `wall` rises.
   */
  firstAt(wall: number): number {
    // No zone is a day ahead of UTC, so it was not reached before.
    let from = wall - DAY
    for (;;) {
      const { to, offset } = this.#stretchAt(from)
      const reached = Math.max(from, wall - offset)
      if (reached < to) return reached
      from = to
    }
  }

  #stretchAt(instant: number): Stretch {
    const last = this.#last
    if (last.from <= instant && instant < last.to) return last
    const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(this.#zone)
    // One ms on, since the previous transition is one before, and this may be one itself.
    const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
    const next = at.getTimeZoneTransition('next')
    this.#last = {
      from: Math.max(previous?.epochMilliseconds ?? -Infinity, instant - FOLLOWED),
      to: Math.min(next?.epochMilliseconds ?? Infinity, instant + FOLLOWED),
      offset: at.offsetNanoseconds / 1_000_000,
    }
    return this.#last
  }
}
