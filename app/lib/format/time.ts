/** Times of the business zone; every screen names the zone, and no two panels differ (field case 55). */
export interface Clock {
  /** "14:22:30" */
  seconds(at: number): string
  /** "14:22" */
  minutes(at: number): string
  /** "14:22:30", with its day before it when that is not the day of `now`: "30 Nov, 14:22:30". */
  instant(at: number, now: number): string
  /** "14:03–14:04"; with its day when that is not today. */
  span(start: number, end: number, now: number): string
}

const clocks = new Map<string, Clock>()

export function clockOf(zone: string): Clock {
  const known = clocks.get(zone)
  if (known) return known
  const made = makeClock(zone)
  clocks.set(zone, made)
  return made
}

function makeClock(zone: string): Clock {
  const formats = {
    seconds: format(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    minutes: format(zone, { hour: '2-digit', minute: '2-digit' }),
    day: format(zone, { day: 'numeric', month: 'short' }),
    dated: format(zone, { day: 'numeric', month: 'short', year: 'numeric' }),
  }
  const dayBefore = (at: number, now: number) => {
    if (formats.dated.format(at) === formats.dated.format(now)) return ''
    const sameYear = formats.dated.format(at).slice(-4) === formats.dated.format(now).slice(-4)
    return `${(sameYear ? formats.day : formats.dated).format(at)}, `
  }
  return {
    seconds: (at) => formats.seconds.format(at),
    minutes: (at) => formats.minutes.format(at),
    instant: (at, now) => `${dayBefore(at, now)}${formats.seconds.format(at)}`,
    span: (start, end, now) =>
      `${dayBefore(start, now)}${formats.minutes.format(start)}–${formats.minutes.format(end)}`,
  }
}

/** "en-GB": 24 hours and the day before the month, as the screens are written. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
}

/**
 * The instant up to which everything is complete: a watermark t means that nothing `<= t` is expected any more
 * (semantics.md §1), so what is complete ends just after it.
 */
export function completeTo(watermark: number): number {
  return watermark + 1
}
