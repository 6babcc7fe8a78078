/** A fault that changes nothing that can be seen, and why. */
export interface Equivalent {
  readonly file: string
  /** The function that it is in, and the line as it reads with the fault. */
  readonly within: string
  readonly reads: string
  readonly why: string
}

const EQ = 'the two are equal there, and what is assigned is what stands already'
const SCAN =
  'looks a moment earlier for sources that turn idle, and finds none: idle is strictly after the timer'
const PUB = 'a guard that spares work: publishing again what was published finds that nothing rose'
const IDLE = 'an idle source is made idle again, and publishing finds that nothing rose'
const FOLLOW = 'the watermark is worked out again from what has not changed'
const CACHE = 'what is not taken from the cache is worked out, with the same result'
const CUT = 'begins one window earlier and walks back to the same'
const FIRST =
  "an instant at which a window begins shows that window's date, so no window before it is cut for it"
const POINT = 'kept as a change at the border, which every window that may still be asked for sums up too'
const NAN = 'one number more than a row has, which nobody reads'
const NEW = 'an id that is there already is found before'
const ROOT = 'the root has nothing above it, and the loop ends there'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'server/engine/clock/adaptiveBound.ts',
    within: 'passTime',
    reads: 'this.bound = target >= this.bound ? target : Math.max(target, least)',
    why: EQ,
  },
  {
    file: 'server/engine/clock/drift.ts',
    within: 'slowestActive',
    reads: 'for (const s of sources) if (!s.idle && !s.test && s.watermark <= least) least = s.watermark',
    why: EQ,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: 'passTime',
    reads: 'const turned = until >= this.#quietUntil && this.#turnIdle(until)',
    why: SCAN,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: 'passTime',
    reads: 'if (false /* !turned && !this.stale */) return false',
    why: PUB,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: '#turnIdle',
    reads: 'if (false /* source.idle */) continue',
    why: IDLE,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: '#turnIdle',
    reads: '} else if (limit <= quietUntil) quietUntil = limit',
    why: EQ,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: 'speak',
    reads: 'if (limit <= this.#quietUntil) this.#quietUntil = limit',
    why: EQ,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: '#follows',
    reads:
      'if (false /* source.watermark === before || before > this.watermark || source.test */) return false',
    why: PUB,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: 'combine',
    reads: 'if (source.watermark >= most) most = source.watermark',
    why: EQ,
  },
  {
    file: 'server/engine/clock/pipelineClock.ts',
    within: 'combine',
    reads: 'if (source.watermark <= least) least = source.watermark',
    why: EQ,
  },
  {
    file: 'server/engine/clock/sourceClock.ts',
    within: 'observe',
    reads: 'if (eventTime >= this.maxTs) this.maxTs = eventTime',
    why: FOLLOW,
  },
  {
    file: 'server/engine/clock/sourceClock.ts',
    within: 'observe',
    reads: 'else if (false /* this.adaptive === null */) return',
    why: FOLLOW,
  },
  {
    file: 'server/engine/clock/sourceClock.ts',
    within: 'takeMark',
    reads:
      "if (this.settings.strategy.kind === 'punctuated' && mark > this.watermark) this.watermark = mark - 1",
    why: EQ,
  },
  {
    file: 'server/engine/clock/sourceClock.ts',
    within: 'takeMark',
    reads:
      "if (this.settings.strategy.kind === 'punctuated' && mark - 1 >= this.watermark) this.watermark = mark - 1",
    why: EQ,
  },
  {
    file: 'server/engine/clock/sourceClock.ts',
    within: '#follow',
    reads: 'if (watermark >= this.watermark) this.watermark = watermark',
    why: EQ,
  },
  {
    file: 'server/engine/windows/assigner.ts',
    within: 'tumbling',
    reads: 'if (false /* last.start <= eventTime && eventTime < last.end */) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/assigner.ts',
    within: 'tumbling',
    reads: 'if (last.start < eventTime && eventTime < last.end) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: 'spanOf',
    reads: 'if (false /* last.start <= instant && instant < last.end */) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: 'spanOf',
    reads: 'if (last.start < instant && instant < last.end) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: '#find',
    reads: 'for (const span of known ?? []) if (span.start < instant && instant < span.end) return span',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: '#find',
    reads: 'if (this.#known.size > MOST_CACHED) this.#known.clear()',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: '#cut',
    reads: 'while (start >= instant) {',
    why: CUT,
  },
  {
    file: 'server/engine/windows/calendar.ts',
    within: '#cut',
    reads: 'if (end >= instant) return { start, end }',
    why: FIRST,
  },
  {
    file: 'server/engine/windows/differences.ts',
    within: 'add',
    reads: 'if (first < this.#passed) addTo(sumsOf(this.#carry, key), delta, 1)',
    why: POINT,
  },
  {
    file: 'server/engine/windows/differences.ts',
    within: 'valuesOf',
    reads: 'if (change) for (let i = 0; i <= WIDTH; i++) sums[i] = (sums[i] ?? 0) + (change[i] ?? 0)',
    why: NAN,
  },
  {
    file: 'server/engine/windows/differences.ts',
    within: 'pass',
    reads: 'if (id + 1 >= this.#passed) this.#passed = id + 1',
    why: EQ,
  },
  {
    file: 'server/engine/windows/differences.ts',
    within: '#point',
    reads: 'while (i > 0 && (this.#ids[i - 1] ?? 0) >= id) i--',
    why: NEW,
  },
  { file: 'server/engine/windows/dueQueue.ts', within: 'push', reads: 'while (i >= 0) {', why: ROOT },
]
