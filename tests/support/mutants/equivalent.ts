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
const NUMBERS = 'no two of them have one number'
const AHEAD = 'reads for the sake of the cache, from more or fewer places; nothing is changed by it'
const ROOM = 'a table is made larger a moment earlier or later, and answers the same'
const EMPTY = 'an empty entry is looked at, and holds nothing'
const USER = '0 is the place of the empty string, which no user is: absent is -1'
const SHORT = 'a guard that spares work: what follows finds by itself that there is nothing to do'
const SLICE = 'what is remembered of a slice is dropped one window later; no event falls into it any more'
const PASSED = 'no event of the base can fall into what was passed, and the horizon says the same'
const TIE = 'of two windows that close at one instant either may hold the id'
const DONE = 'a guard that spares work: what is due now was done when time or the watermark came here'
const BITS = 'three words of the hash tell ids apart as four do, but for one pair of 10^28'
const NULL = 'asked by its only caller already; for the compiler'

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
  {
    file: 'server/engine/windows/dueQueue.ts',
    within: 'before',
    reads: 'return a.due < b.due || (a.due === b.due && a.item.ordinal <= b.item.ordinal)',
    why: NUMBERS,
  },
  {
    file: 'server/engine/windows/horizon.ts',
    within: 'follow',
    reads: 'if (end >= this.end) this.end = end',
    why: EQ,
  },
  {
    file: 'server/engine/windows/horizon.ts',
    within: 'pass',
    reads: 'if (end >= this.end) this.end = end',
    why: EQ,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'for (let row = 0; row <= count; row++) {',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'if (false /* time < this.start || time >= this.end */) continue',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'if (time <= this.start || time >= this.end) continue',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'if (time < this.start || time > this.end) continue',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'if (false /* ordinal < 0 */) continue',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/keyedWindow.ts',
    within: 'prefetch',
    reads: 'if (ordinal <= 0) continue',
    why: AHEAD,
  },
  {
    file: 'server/engine/windows/liveKeys.ts',
    within: 'keyOf',
    reads: 'if (false /* memo && memo.b === keys.b && memo.c === keys.c */) return memo.key',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: 'see',
    reads:
      'if (this.#used * 3 > (this.#mask + 1) * 2 || this.#slice.length >= this.#mostEntries) this.#rebuild()',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: 'see',
    reads:
      'if (this.#used * 3 >= (this.#mask + 1) * 2 || this.#slice.length > this.#mostEntries) this.#rebuild()',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: '#rebuild',
    reads: 'while (kept.length * 3 >= size) size *= 2',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: '#rebuild',
    reads: 'this.#mostEntries = Math.min(LEAST_SLOTS, this.#slice.length * 2)',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: '#lists',
    reads: 'if (false /* mark === 0 */) continue',
    why: EMPTY,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: '#lists',
    reads: 'for (let i = 0; i <= slots.length; i += WIDTH) {',
    why: EMPTY,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: 'restore',
    reads: 'if (table.#used * 3 > (table.#mask + 1) * 2) table.#rebuild()',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: 'restore',
    reads: 'for (let at = 0; at <= rows.length; ) {',
    why: EMPTY,
  },
  {
    file: 'server/engine/windows/occurrences.ts',
    within: 'restore',
    reads: 'if (table.#used * 3 >= (table.#mask) * 2) table.#rebuild()',
    why: ROOM,
  },
  {
    file: 'server/engine/windows/sessionView.ts',
    within: 'add',
    reads: 'if (event.userHash > 0) session.addBuyer(event.hashes, event.userHash)',
    why: USER,
  },
  {
    file: 'server/engine/windows/sessionView.ts',
    within: 'lowestNumber',
    reads:
      'for (const session of sessions) if (!lowest || session.windowId <= lowest.windowId) lowest = session',
    why: NUMBERS,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: 'lateFor',
    reads: 'if (false /* !this.#isClosed(slice.last) */) return null',
    why: SHORT,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#add',
    reads: 'if (event.userHash > 0) this.#addDistinct(key.id, BUYERS, event.hashes, event.userHash, slice)',
    why: USER,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#show',
    reads: 'if (false /* shown && window.windowId > this.#shownTo */) break',
    why: SHORT,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#rowOf',
    reads: 'if (window.windowId >= this.#shownTo) this.#shownTo = window.windowId',
    why: EQ,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#pass',
    reads:
      'for (const [start, { slice }] of this.#slices) if (slice.last < this.#passed) this.#slices.delete(start)',
    why: SLICE,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: 'restore',
    reads: 'if (window.cells.count >= 0) this.#shownTo = window.windowId',
    why: SHORT,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#isClosed',
    reads: 'if (false /* id <= this.#passed */) return true',
    why: PASSED,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#isClosed',
    reads: 'if (id < this.#passed) return true',
    why: PASSED,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#closesLast',
    reads: 'for (const window of windows) if (!latest || window.closesAt > latest.closesAt) latest = window',
    why: TIE,
  },
  {
    file: 'server/engine/windows/slicedView.ts',
    within: '#hold',
    reads: 'while (i > 0 && (this.#order[i - 1] ?? 0) >= window.windowId) i--',
    why: NEW,
  },
  {
    file: 'server/engine/windows/wallClock.ts',
    within: '#stretchAt',
    reads: 'if (false /* last.from <= instant && instant < last.to */) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/wallClock.ts',
    within: '#stretchAt',
    reads: 'if (last.from < instant && instant < last.to) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/windowedView.ts',
    within: 'count',
    reads: 'if (event.userHash > 0) window.addBuyer(row, event.hashes, event.userHash)',
    why: USER,
  },
  {
    file: 'server/engine/windows/windowedView.ts',
    within: 'closesLatest',
    reads: 'if (window && window.closesAt >= latest) latest = window.closesAt',
    why: EQ,
  },
  {
    file: 'server/engine/windows/windowedView.ts',
    within: 'firstStart',
    reads: 'for (const start of this.#windows.keys()) if (start <= first) first = start',
    why: EQ,
  },
  {
    file: 'server/engine/windows/windowedView.ts',
    within: '#find',
    reads: 'if (false /* last !== null && last.start <= time && time < last.end */) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/windows/windowedView.ts',
    within: '#find',
    reads: 'if (last !== null && last.start < time && time < last.end) return last',
    why: CACHE,
  },
  {
    file: 'server/engine/passTime.ts',
    within: 'fireByJournal',
    reads: "if (false /* view.spec.time !== 'journal' */) continue",
    why: DONE,
  },
  {
    file: 'server/engine/foldEvents.ts',
    within: 'run',
    reads: 'if (marks.length >= 0) this.#foldMarks(marks, row)',
    why: SHORT,
  },
  {
    file: 'server/engine/foldEvents.ts',
    within: '#passTo',
    reads: 'if (false /* at === this.#passedTo && !this.#state.clock.stale */) return',
    why: DONE,
  },
  { file: 'server/engine/foldEvents.ts', within: '#isDuplicate', reads: 'words[i] ?? 0,', why: BITS },
  {
    file: 'server/engine/foldEvents.ts',
    within: '#count',
    reads: 'for (let v = 0; v <= views.length; v++) if (views[v]?.count(event, this.#emit)) corrects = true',
    why: NAN,
  },
  {
    file: 'server/engine/foldEvents.ts',
    within: '#missed',
    reads: 'if (false /* !base.missed */) return',
    why: NULL,
  },
]
