import type { DemoEvent } from './orders'
import type { Chance } from './random'
import type { DemoSource } from './spec'

/** How a source delivers: typical delay in ms, how much it spreads, and how often it sends what it has. */
interface Habit {
  readonly share: number
  readonly delay: number
  readonly spread: number
  readonly sendEvery: number
  /** Speaks for `on` ms, is silent for `off` ms, and then sends everything at once. */
  readonly silence?: { readonly on: number; readonly off: number }
}

export const HABITS: Record<DemoSource, Habit> = {
  web: { share: 0.34, delay: 250, spread: 0.5, sendEvery: 250 },
  app: { share: 0.38, delay: 700, spread: 0.7, sendEvery: 250 },
  'pos-1': { share: 0.12, delay: 1_200, spread: 0.4, sendEvery: 500 },
  'pos-3': { share: 0.08, delay: 1_200, spread: 0.4, sendEvery: 500, silence: { on: 12_000, off: 33_000 } },
  partner: { share: 0.08, delay: 3_000, spread: 0.3, sendEvery: 2_000 },
}

/** One source's orders on their way to the server, each due when its delay has passed. Times in ms. */
export class Lane {
  readonly #waiting: { readonly due: number; readonly event: unknown }[] = []

  constructor(
    readonly source: DemoSource,
    private readonly habit: Habit,
    private readonly chance: Chance,
    private readonly startedAt: number,
  ) {}

  add(event: DemoEvent | Record<string, unknown>, happened: number): void {
    const delay = this.habit.delay * Math.exp(this.habit.spread * this.chance.normal())
    this.#waiting.push({ due: happened + delay, event })
  }

  /** What is sent now, in order of arrival. Nothing while the source is silent. */
  due(now: number): unknown[] {
    if (this.silent(now)) return []
    const ready = this.#waiting.filter((w) => w.due <= now).sort((a, b) => a.due - b.due)
    if (ready.length === 0) return []
    const rest = this.#waiting.filter((w) => w.due > now)
    this.#waiting.splice(0, this.#waiting.length, ...rest)
    return ready.map((w) => w.event)
  }

  silent(now: number): boolean {
    const { silence } = this.habit
    return silence !== undefined && (now - this.startedAt) % (silence.on + silence.off) >= silence.on
  }
}
