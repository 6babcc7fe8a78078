import type { PipelineSpec } from '../../../server/contracts/pipelineSpec'
import type { Item } from '../program/items'
import { followSources, moveTo } from './advance'
import { obey } from './commands'
import { judge } from './judge'
import { flush } from './publish'
import { type Counted, content, type EventItem, tenThousandths } from './rows'
import { align, join, laneOf, speak } from './sources'
import { count, MIN, nothingTold, type Source, type State, type Told, zeroCounts } from './state'
import { learn, observe, watchStale } from './strategy'
import { passTime, pause, resume } from './time'

/*
 * The rules of semantics.md once more: plain, slow, and sharing no code with the engine. It keeps every counted event
 * and works every number out anew, money as BigInt. Nothing here is clever; when it and the engine differ, read it.
 */
export class SlowModel {
  readonly state: State

  constructor(spec: PipelineSpec, at: number) {
    this.state = {
      spec: structuredClone(spec),
      ...{ at, W: MIN, horizon: MIN, pausedAt: null, heardAt: at, moment: 0 },
      ...{
        sources: new Map(),
        counts: zeroCounts(),
        bySource: new Map(),
        ids: new Map(),
        pending: new Map(),
      },
      views: spec.views.map(({ id }) => ({ id, live: new Map(), all: [] })),
      told: nothingTold(),
      reached: new Set(),
    }
    for (const source of spec.sources) join(this.state, source.name, source)
    align(this.state)
  }

  /** Takes one record and says what it did. */
  take(record: readonly Item[]): Told {
    const { state } = this
    state.told = nothingTold()
    for (const item of record) takeItem(state, item)
    flush(state)
    const last = record.at(-1)
    if (last?.kind === 'event' || last?.kind === 'mark' || last?.kind === 'reject') passTime(state, last.at)
    align(state)
    return state.told
  }
}

function takeItem(state: State, item: Item): void {
  if (item.kind === 'event') takeEvent(state, item)
  else if (item.kind === 'mark') takeMark(state, item)
  else if (item.kind === 'reject') count(state, item.source, 'received', 'quarantined')
  else if (item.kind === 'paused') pause(state, item.at)
  else if (item.kind === 'resumed') resume(state, item.pausedAt, item.at)
  else if (item.kind === 'change') throw new RangeError('written out as a command before: see changes.ts')
  else passTime(state, item.at)
  if (item.kind === 'command') obey(state, item.command)
  if (item.kind === 'end') moveTo(state, Number.POSITIVE_INFINITY)
}

function takeEvent(state: State, item: EventItem): void {
  passTime(state, item.at)
  const source = laneOf(state, item.source)
  speak(state, source)
  watchStale(state, source, item.ts)
  if (source.own.test) {
    count(state, source.name, 'test')
    observe(source, item.ts)
    return
  }
  if (repeats(state, source, item)) return
  learn(source, item.ts, item.at, state.reached)
  const event: Counted = { item, units: tenThousandths(item.amount), base: [], overflowed: false }
  const outcome = judge(state, event)
  count(state, source.name, 'received', outcome)
  if (event.overflowed) count(state, source.name, 'overflow')
  if (outcome !== 'late') state.ids.set(idOf(item), event)
  observe(source, item.ts)
  followSources(state)
}

function idOf(item: EventItem): string {
  return JSON.stringify([item.source, item.id])
}

/** True where the id is that of a counted event with a base window that is not closed. */
function repeats(state: State, source: Source, item: EventItem): boolean {
  const first = state.ids.get(idOf(item))
  if (!first?.base.some((win) => win.state === 'live')) return false
  const same = content(first.item) === content(item)
  count(state, source.name, 'received', 'duplicate', ...(same ? [] : (['conflict'] as const)))
  if (!same) state.told.conflicts.push(item.id)
  return true
}

function takeMark(state: State, { source: name, mark, at }: Extract<Item, { kind: 'mark' }>): void {
  passTime(state, at)
  const source = laneOf(state, name)
  speak(state, source)
  if (source.strategy.kind === 'punctuated') {
    state.reached.add('mark')
    source.W = Math.max(source.W, mark - 1)
  } else state.reached.add('mark of another strategy')
  followSources(state)
}
