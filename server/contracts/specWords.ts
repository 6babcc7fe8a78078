import ms from 'ms'
import type { Strategy } from './strategy'
import type { CalendarSpec, WindowSpec } from './windowSpec'

/**
 * A duration of whole ms in words, exactly: `90s` is "1m 30s", where `ms` alone would round it to "2m". What the
 * audit says of a change must not be what it rounds to.
 */
export function durationText(value: number): string {
  const text = ms(value)
  if (parsed(text) === value) return text
  const unit = parsed(`1${text.replace(/[^a-z]/g, '')}`)
  const whole = Math.trunc(value / unit) * unit
  return `${ms(whole)} ${durationText(Math.abs(value - whole))}`
}

function parsed(text: string): number {
  return ms(text as ms.StringValue)
}

/** A strategy in words that tell it from every other one. */
export function strategyText(strategy: Strategy): string {
  switch (strategy.kind) {
    case 'bounded':
      return `bounded ${durationText(strategy.bound)}`
    case 'ascending':
    case 'punctuated':
      return strategy.kind
    case 'adaptive': {
      const { initial, every, sample, atLeast, percentile, factor, least, most, fall } = strategy
      const rule = `${factor} × P${percentile} of ${sample} delays, from ${atLeast} on, every ${durationText(every)}`
      const range = `${durationText(least)} to ${durationText(most)}, falling ${fall} % a step`
      return `adaptive (${durationText(initial)} at first; ${rule}; ${range})`
    }
  }
}

/** A window in words that tell it from every other one. */
export function windowText(window: WindowSpec): string {
  switch (window.kind) {
    case 'tumbling':
      return `${durationText(window.size)}${offsetText(window.offset)}`
    case 'calendar':
      return calendarText(window)
    case 'sliding':
      return `${durationText(window.size)} every ${durationText(window.slide)}${offsetText(window.offset)}`
    case 'cumulate':
      return `${windowText(window.within)} in steps of ${durationText(window.step)}`
    case 'session':
      return `sessions with a gap of ${durationText(window.gap)}`
  }
}

function calendarText({ unit, zone, dayStart }: CalendarSpec): string {
  return `calendar ${unit} of ${zone}${dayStart === '00:00' ? '' : ` from ${dayStart}`}`
}

function offsetText(offset: number): string {
  return offset === 0 ? '' : ` offset ${durationText(offset)}`
}

/** A number with its thousands told apart, the same on every machine. */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
