/** Vectors of dialects and kinds that the shared file has not, as their systems' public tests have the facts. */
type Fields = Record<string, unknown>

const el = (key: string, ts: number, value: unknown = 1) => ({ element: { key, ts, value } })
const wm = (watermark: number | string, partition?: string | number) => ({ watermark, partition })
const out = (key: string, start: number, end: number, value: unknown, atStep: number) => ({
  key,
  start,
  end,
  value,
  atStep,
})
const vector = (
  id: string,
  kind: string,
  dialect: string,
  config: Fields,
  steps: Fields[],
  expected: Fields[],
) => ({
  id,
  kind,
  dialect,
  config,
  steps,
  expected,
})
const tumbling = (sizeMs: number) => ({ type: 'tumbling', sizeMs })
const session = (gapMs: number) => ({ type: 'session', gapMs })

const hopping = {
  window: { type: 'sliding', sizeMs: 10, slideMs: 5 },
  graceMs: 90,
  emit: 'update',
  aggregate: 'list',
}
const day = 86_400_000

export const PASS = [
  {
    ...vector(
      'kafka-hopping-expired-pairs',
      'window',
      'kafka-streams',
      hopping,
      [el('k', 100, 'a'), el('k', 0, 'b'), el('k', 5, 'c')],
      [out('k', 95, 105, ['a'], 0), out('k', 100, 110, ['a'], 0), out('k', 5, 15, ['c'], 2)],
    ),
    lateSideOutput: [
      { key: 'k', ts: 0, value: 'b', atStep: 1, window: [0, 10] },
      { key: 'k', ts: 5, value: 'c', atStep: 2, window: { start: 0, end: 10 } },
    ],
  },
  vector(
    'kafka-suppress',
    'window',
    'kafka-streams',
    { window: tumbling(2), graceMs: 2, emit: 'suppress-until-close', aggregate: 'count' },
    [el('k', 0), el('k', 2), el('k', 1), el('k', 5), el('k', 30)],
    [out('k', 0, 2, 2, 3), out('k', 2, 4, 1, 4), out('k', 4, 6, 1, 4)],
  ),
  {
    ...vector(
      'kafka-late-at-the-end',
      'window',
      'kafka-streams',
      { window: tumbling(10), graceMs: 2, emit: 'update', aggregate: 'sum' },
      [el('k', 11, 1), el('k', 9, 2), el('k', 12, 4), el('k', 9, 8)],
      [out('k', 10, 20, 1, 0), out('k', 0, 10, 2, 1), out('k', 10, 20, 5, 2)],
    ),
    lateSideOutput: [{ key: 'k', ts: 9, value: 8, atStep: 3, window: [0, 10] }],
  },
  vector(
    'kafka-session-retracts',
    'window',
    'kafka-streams',
    { window: session(5), graceMs: 0, emit: 'update', aggregate: 'count' },
    [el('a', 0), el('a', 4)],
    [out('a', 0, 0, 1, 0), out('a', 0, 0, null, 1), out('a', 0, 4, 2, 1)],
  ),
  vector(
    'quix-closes-by-key',
    'window',
    'quix',
    { window: tumbling(10), graceMs: 2, emit: 'final', aggregate: 'max' },
    [el('k', 2, 7), el('j', 100), el('k', 11, 3), el('k', 12, 4)],
    [out('k', 0, 10, 7, 3)],
  ),
  vector(
    'bytewax-session-merge',
    'session-merge',
    'bytewax',
    { window: session(10) },
    [el('a', 0), el('a', 20), el('a', 10)],
    [{ sessions: [[0, 20]] }],
  ),
  vector(
    'bytewax-clock',
    'watermark-generator',
    'bytewax',
    { waitForSystemDurationMs: 5 },
    [el('k', 7), el('k', 10), el('k', 3), { endOfStream: true }],
    [2, 5, 5, 'MAX'].map((watermark, atStep) => ({ watermark, atStep })),
  ),
  vector(
    'bytewax-system-clock',
    'window',
    'bytewax',
    { window: tumbling(10), trigger: 'processingTime', aggregate: 'list' },
    [{ processingTime: 5 }, el('k', 0, 'a'), { processingTime: 9 }, el('k', 0, 'b'), { processingTime: 10 }],
    [out('k', 0, 10, ['a', 'b'], 4)],
  ),
  vector(
    'risingwave-filter',
    'ingest-filter',
    'risingwave',
    { delayMs: day },
    [
      { batch: [el('1', 7 * day, 1), el('2', 8 * day, 2), el('3', 6 * day, 3)] },
      { batch: [el('4', 7 * day, 4), el('5', 6 * day, 5), el('6', 10 * day, 6)] },
      { snapshotRestore: true },
      { batch: [el('7', 14 * day, 7), el('8', 9 * day, 8), el('9', 8 * day, 9)] },
    ],
    [
      { kept: [1, 2, 3], atStep: 0 },
      { kept: [4, 6], atStep: 1 },
      { kept: [7, 8], atStep: 3 },
    ],
  ),
  vector(
    'risingwave-sort',
    'release',
    'risingwave',
    {},
    [{ batch: [el('a', 1, 'p'), el('a', 2, 'q'), el('a', 6, 'r')] }, wm(3), el('a', 4, 's'), wm(6)],
    [
      { released: ['p', 'q'], atStep: 1 },
      { released: ['s'], atStep: 3 },
    ],
  ),
  vector(
    'arroyo-combine',
    'combine',
    'arroyo',
    { partitions: 3 },
    [wm(5, 0), wm(3, 1), wm(7, 1), wm(4, 2), { idle: 2 }],
    [
      { watermark: 4, atStep: 3 },
      { watermark: 5, atStep: 4 },
    ],
  ),
  vector(
    'arroyo-idle',
    'idle-timer',
    'arroyo',
    { idleTimeoutMs: 10 },
    [{ processingTime: 0 }, el('k', 1), { processingTime: 10 }, { processingTime: 11 }, el('k', 2)],
    [
      { status: 'idle', atStep: 3 },
      { status: 'active', atStep: 4 },
    ],
  ),
  vector(
    'beam-panes',
    'panes',
    'beam',
    { window: tumbling(10), allowedLatenessMs: 100, accumulation: 'discarding', trigger: 'AfterWatermark' },
    [el('k', 1, 'a'), wm(9), wm(10), el('k', 2, 'b')],
    [
      pane(['a'], 2, { timing: 'ON_TIME', index: 0, isFirst: true, isLast: false }),
      pane(['b'], 3, { timing: 'LATE', index: 1, nonSpeculativeIndex: 1, isFirst: false }),
    ],
  ),
  vector(
    'spark-batches',
    'window',
    'spark',
    { window: tumbling(5_000), watermarkDelayMs: 10_000, emit: 'final', aggregate: 'count' },
    [
      { batch: [el('k', 10_000), el('k', 14_000), el('k', 15_000)] },
      { batch: [el('k', 25_000), el('k', 11_000)] },
    ],
    [out('k', 10_000, 15_000, 3, 1)],
  ),
  vector(
    'flink-cumulate',
    'window',
    'flink',
    { window: { type: 'cumulate', sizeMs: 10, stepMs: 5 }, aggregate: 'sum' },
    [el('a', 1, '12.5'), el('a', 6, -2), wm('MAX')],
    [out('a', 0, 5, 12.5, 2), out('a', 0, 10, 10.5, 2)],
  ),
  {
    ...vector(
      'anti-copies-nothing',
      'window',
      'arroyo',
      { window: tumbling(10), aggregate: 'count' },
      [el('a', 1), wm(10)],
      [out('a', 0, 10, 2, 1)],
    ),
    antiVector: true,
    ourExpected: [out('a', 0, 10, 1, 1)],
  },
]

function pane(values: unknown[], atStep: number, fields: Fields): Fields {
  return { start: 0, end: 10, values, atStep, pane: fields }
}

/** What is skipped, and a part of the reason. */
export const SKIP = [
  [
    vector(
      'beam-early',
      'panes',
      'beam',
      { window: tumbling(10), trigger: 'AfterPane.elementCountAtLeast(2)' },
      [el('k', 1)],
      [],
    ),
    'the trigger',
  ],
  [vector('global', 'window', 'flink', { window: { type: 'global' } }, [el('k', 1)], []), 'never ends'],
  [
    vector(
      'beam-touching',
      'session-merge',
      'beam',
      { window: session(10) },
      [el('k', 0), el('k', 10)],
      [
        {
          sessions: [
            [0, 10],
            [10, 20],
          ],
        },
      ],
    ),
    'on purpose: sessions that only touch',
  ],
  [
    vector(
      'valve-back',
      'combine',
      'flink-valve',
      { partitions: 2 },
      [wm(10, 0), wm(5, 1), { idle: 1 }, { active: 1 }, wm(20, 0)],
      [
        { watermark: 5, atStep: 1 },
        { watermark: 10, atStep: 2 },
        { watermark: 20, atStep: 4 },
      ],
    ),
    'on purpose: a channel that comes back behind',
  ],
  [
    vector('uncompared', 'combine', 'flink-multiplexer', {}, [], [out('a', 0, 1, 1, 0)]),
    'expects firing facts, which its kind has not',
  ],
  [vector('unknown-kind', 'join', 'flink', {}, [], []), 'the kind "join"'],
  [{ id: 'no-kind' }, 'not of the schema: kind'],
] as const
