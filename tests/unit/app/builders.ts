import type { OutcomeCounts, PipelineStatus, SourceStatus } from '@/server/contracts/status'
import type { Revision, WindowRow } from '@/server/contracts/windowRow'

/** 2026-12-01 14:24:12 in Shanghai: the clock of these tests. */
export const NOW = Date.UTC(2026, 11, 1, 6, 24, 12)
export const ZONE = 'Asia/Shanghai'
export const at = (h: number, m: number, s = 0) => Date.UTC(2026, 11, 1, h - 8, m, s)

/** Figures keep their unit and sign by no-break spaces and joiners; tests read plain text. */
export const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/\u2060/g, '')

export function row(over: Partial<WindowRow> = {}): WindowRow {
  const start = over.start ?? at(14, 20)
  return {
    view: 'gmv_total_1m',
    version: 1,
    start,
    end: start + 60_000,
    windowId: start,
    currency: 'CNY',
    dims: [],
    gross: '110.0000',
    refunds: '10.0000',
    net: '100.0000',
    orders: 2,
    buyers: 2,
    events: 3,
    status: 'fired',
    revision: 1,
    byInactivity: false,
    leftOut: [],
    firedAt: start + 65_000,
    updatedAt: start + 65_000,
    watermark: start + 60_000,
    pos: 10,
    sketches: null,
    ...over,
  }
}

export function revision(over: Partial<Revision> = {}): Revision {
  const { gross, refunds, net, orders, buyers, events, ...key } = row({ start: over.start ?? at(14, 20) })
  const measures = { gross, refunds, net, orders, buyers, events }
  return {
    view: key.view,
    version: 1,
    start: key.start,
    end: key.end,
    windowId: key.windowId,
    currency: 'CNY',
    dims: [],
    revision: 2,
    kind: 'correction',
    before: measures,
    after: measures,
    deltaNet: '129.9000',
    eventCount: 1,
    eventIds: ['e-1'],
    lateBy: 72_000,
    watermark: key.watermark,
    at: at(14, 22, 5),
    pos: 20,
    by: over.kind === 'reconciled' ? 'ann' : null,
    ...over,
  }
}

export function source(name: string, over: Partial<SourceStatus> = {}): SourceStatus {
  return {
    name,
    declared: false,
    state: 'active',
    watermark: at(14, 24, 5) - 1,
    maxEventTime: at(14, 24, 10),
    lastRecordAt: NOW - 400,
    idleAt: NOW + 59_600,
    idleTimeout: 60_000,
    strategy: 'bounded',
    bound: 5_000,
    isTest: false,
    resendsHistory: false,
    drift: 0,
    wouldPause: false,
    holdsBack: false,
    received: 100,
    inTime: 90,
    corrected: 5,
    late: 2,
    duplicate: 2,
    quarantined: 1,
    conflict: 0,
    test: 0,
    overflow: 0,
    ...over,
  }
}

/** A source that was declared and never spoke. */
export const silent = (name: string, over: Partial<SourceStatus> = {}) =>
  source(name, {
    declared: true,
    state: 'never',
    watermark: null,
    maxEventTime: null,
    lastRecordAt: null,
    idleAt: null,
    idleTimeout: null,
    received: 0,
    inTime: 0,
    corrected: 0,
    late: 0,
    duplicate: 0,
    quarantined: 0,
    ...over,
  })

export const NO_COUNTS: OutcomeCounts = {
  received: 0,
  inTime: 0,
  corrected: 0,
  late: 0,
  duplicate: 0,
  quarantined: 0,
  conflict: 0,
  test: 0,
  overflow: 0,
}

export function status(sources: readonly SourceStatus[], over: Partial<PipelineStatus> = {}): PipelineStatus {
  return {
    now: NOW,
    at: NOW - 300,
    watermark: at(14, 24, 5) - 1,
    journaled: 500,
    committed: 500,
    databaseAt: NOW - 100,
    sources,
    counts: NO_COUNTS,
    openWindows: 2,
    firedWindows: 10,
    liveIds: 1_000,
    maxLiveIds: 20_000_000,
    state: { ids: 48_000, distinct: 64_000, rows: 8_000, keys: 4_000, sources: 1_500, total: 125_500 },
    warnings: [],
    allowedLateness: 600_000,
    zone: ZONE,
    catchingUp: false,
    standby: null,
    backfill: null,
    trouble: null,
    ...over,
  }
}
