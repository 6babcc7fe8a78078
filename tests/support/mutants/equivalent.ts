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

/** By file, function and the line as it reads with the fault. */
const BY_FILE: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'server/engine/clock/adaptiveBound.ts': {
    passTime: {
      'this.bound = target >= this.bound ? target : Math.max(target, least)': EQ,
    },
  },
  'server/engine/clock/drift.ts': {
    slowestActive: {
      'for (const s of sources) if (!s.idle && !s.test && s.watermark <= least) least = s.watermark': EQ,
    },
  },
  'server/engine/clock/pipelineClock.ts': {
    passTime: {
      'const turned = until >= this.#quietUntil && this.#turnIdle(until)': SCAN,
      'if (false /* !turned && !this.stale */) return false': PUB,
    },
    '#turnIdle': {
      'if (false /* source.idle */) continue': IDLE,
      '} else if (limit <= quietUntil) quietUntil = limit': EQ,
    },
    speak: {
      'if (limit <= this.#quietUntil) this.#quietUntil = limit': EQ,
    },
    '#follows': {
      'if (false /* source.watermark === before || before > this.watermark || source.test */) return false':
        PUB,
    },
    combine: {
      'if (source.watermark >= most) most = source.watermark': EQ,
      'if (source.watermark <= least) least = source.watermark': EQ,
    },
  },
  'server/engine/clock/sourceClock.ts': {
    observe: {
      'if (eventTime >= this.maxTs) this.maxTs = eventTime': FOLLOW,
      'else if (false /* this.adaptive === null */) return': FOLLOW,
    },
    takeMark: {
      "if (this.settings.strategy.kind === 'punctuated' && mark > this.watermark) this.watermark = mark - 1":
        EQ,
      "if (this.settings.strategy.kind === 'punctuated' && mark - 1 >= this.watermark) this.watermark = mark - 1":
        EQ,
    },
    '#follow': {
      'if (watermark >= this.watermark) this.watermark = watermark': EQ,
    },
  },
  'server/engine/windows/assigner.ts': {
    tumbling: {
      'if (false /* last.start <= eventTime && eventTime < last.end */) return last': CACHE,
      'if (last.start < eventTime && eventTime < last.end) return last': CACHE,
    },
  },
  'server/engine/windows/calendar.ts': {
    spanOf: {
      'if (false /* last.start <= instant && instant < last.end */) return last': CACHE,
      'if (last.start < instant && instant < last.end) return last': CACHE,
    },
    '#find': {
      'for (const span of known ?? []) if (span.start < instant && instant < span.end) return span': CACHE,
      'if (this.#known.size > MOST_CACHED) this.#known.clear()': CACHE,
    },
    '#cut': {
      'while (start >= instant) {': CUT,
      'if (end >= instant) return { start, end }': FIRST,
    },
  },
  'server/engine/windows/differences.ts': {
    add: {
      'if (first < this.#passed) addTo(sumsOf(this.#carry, key), delta, 1)': POINT,
    },
    valuesOf: {
      'if (change) for (let i = 0; i <= WIDTH; i++) sums[i] = (sums[i] ?? 0) + (change[i] ?? 0)': NAN,
    },
    pass: {
      'if (id + 1 >= this.#passed) this.#passed = id + 1': EQ,
    },
    '#point': {
      'while (i > 0 && (this.#ids[i - 1] ?? 0) >= id) i--': NEW,
    },
  },
  'server/engine/windows/dueQueue.ts': {
    push: {
      'while (i >= 0) {': ROOT,
    },
    before: {
      'return a.due < b.due || (a.due === b.due && a.item.ordinal <= b.item.ordinal)': NUMBERS,
    },
  },
  'server/engine/windows/horizon.ts': {
    follow: {
      'if (end >= this.end) this.end = end': EQ,
    },
    pass: {
      'if (end >= this.end) this.end = end': EQ,
    },
  },
  'server/engine/windows/keyedWindow.ts': {
    prefetch: {
      'for (let row = 0; row <= count; row++) {': AHEAD,
      'if (false /* time < this.start || time >= this.end */) continue': AHEAD,
      'if (time <= this.start || time >= this.end) continue': AHEAD,
      'if (time < this.start || time > this.end) continue': AHEAD,
      'if (false /* ordinal < 0 */) continue': AHEAD,
      'if (ordinal <= 0) continue': AHEAD,
    },
  },
  'server/engine/windows/liveKeys.ts': {
    keyOf: {
      'if (false /* memo && memo.b === keys.b && memo.c === keys.c */) return memo.key': CACHE,
    },
  },
  'server/engine/windows/occurrences.ts': {
    see: {
      'if (this.#used * 3 > (this.#mask + 1) * 2 || this.#slice.length >= this.#mostEntries) this.#rebuild()':
        ROOM,
      'if (this.#used * 3 >= (this.#mask + 1) * 2 || this.#slice.length > this.#mostEntries) this.#rebuild()':
        ROOM,
    },
    '#rebuild': {
      'while (kept.length * 3 >= size) size *= 2': ROOM,
      'this.#mostEntries = Math.min(LEAST_SLOTS, this.#slice.length * 2)': ROOM,
    },
    '#lists': {
      'if (false /* mark === 0 */) continue': EMPTY,
      'for (let i = 0; i <= slots.length; i += WIDTH) {': EMPTY,
    },
    restore: {
      'if (table.#used * 3 > (table.#mask + 1) * 2) table.#rebuild()': ROOM,
      'for (let at = 0; at <= rows.length; ) {': EMPTY,
      'if (table.#used * 3 >= (table.#mask) * 2) table.#rebuild()': ROOM,
    },
  },
  'server/engine/windows/sessionView.ts': {
    add: {
      'if (event.userHash > 0) session.addBuyer(event.hashes, event.userHash)': USER,
    },
    lowestNumber: {
      'for (const session of sessions) if (!lowest || session.windowId <= lowest.windowId) lowest = session':
        NUMBERS,
    },
  },
  'server/engine/windows/slicedView.ts': {
    lateFor: {
      'if (false /* !this.#isClosed(slice.last) */) return null': SHORT,
    },
    '#add': {
      'if (event.userHash > 0) this.#addDistinct(key.id, BUYERS, event.hashes, event.userHash, slice)': USER,
    },
    '#show': {
      'if (false /* shown && window.windowId > this.#shownTo */) break': SHORT,
    },
    '#rowOf': {
      'if (window.windowId >= this.#shownTo) this.#shownTo = window.windowId': EQ,
    },
    '#pass': {
      'for (const [start, { slice }] of this.#slices) if (slice.last < this.#passed) this.#slices.delete(start)':
        SLICE,
    },
    restore: {
      'if (window.cells.count >= 0) this.#shownTo = window.windowId': SHORT,
    },
    '#isClosed': {
      'if (false /* id <= this.#passed */) return true': PASSED,
      'if (id < this.#passed) return true': PASSED,
    },
    '#closesLast': {
      'for (const window of windows) if (!latest || window.closesAt > latest.closesAt) latest = window': TIE,
    },
    '#hold': {
      'while (i > 0 && (this.#order[i - 1] ?? 0) >= window.windowId) i--': NEW,
    },
  },
  'server/engine/windows/wallClock.ts': {
    '#stretchAt': {
      'if (false /* last.from <= instant && instant < last.to */) return last': CACHE,
      'if (last.from < instant && instant < last.to) return last': CACHE,
    },
  },
  'server/engine/windows/windowedView.ts': {
    count: {
      'if (event.userHash > 0) window.addBuyer(row, event.hashes, event.userHash)': USER,
    },
    closesLatest: {
      'if (window && window.closesAt >= latest) latest = window.closesAt': EQ,
    },
    firstStart: {
      'for (const start of this.#windows.keys()) if (start <= first) first = start': EQ,
    },
    '#find': {
      'if (false /* last !== null && last.start <= time && time < last.end */) return last': CACHE,
      'if (last !== null && last.start < time && time < last.end) return last': CACHE,
    },
  },
  'server/engine/passTime.ts': {
    fireByJournal: {
      "if (false /* view.spec.time !== 'journal' */) continue": DONE,
    },
  },
  'server/engine/foldEvents.ts': {
    run: {
      'if (marks.length >= 0) this.#foldMarks(marks, row)': SHORT,
    },
    '#passTo': {
      'if (false /* at === this.#passedTo && !this.#state.clock.stale */) return': DONE,
    },
    '#isDuplicate': {
      'words[i] ?? 0,': BITS,
    },
    '#count': {
      'for (let v = 0; v <= views.length; v++) if (views[v]?.count(event, this.#emit)) corrects = true': NAN,
    },
    '#missed': {
      'if (false /* !base.missed */) return': NULL,
    },
  },
}

export const EQUIVALENT: readonly Equivalent[] = Object.entries(BY_FILE).flatMap(([file, functions]) =>
  Object.entries(functions).flatMap(([within, faults]) =>
    Object.entries(faults).map(([reads, why]) => ({ file, within, reads, why })),
  ),
)
