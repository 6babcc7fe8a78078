import { describe, expect, test } from 'vitest'
import { dayStartMs, isZone } from '../../../server/contracts/windowSpec'
import { tumbling } from '../../support/engine'
import { beside, day, minute, type Refused, refusals, session } from './refusals'

const sliding = (over: Record<string, unknown>) =>
  beside({ kind: 'sliding', size: '1h', slide: '5m', ...over })
const cumulate = (step: unknown, within: unknown) => beside({ kind: 'cumulate', step, within })
const shanghai = { kind: 'calendar', unit: 'day', zone: 'Asia/Shanghai' }
const calendar = (over: Record<string, unknown>) => beside({ ...shanghai, ...over })
const only = (window: unknown) => ({ views: [{ id: 'm', window }] })

const REFUSED: readonly Refused[] = [
  ['of size 0', 'views.0.window.size', /more than 0/, only(tumbling(0))],
  ['of a negative size', 'views.0.window.size', /more than 0/, only(tumbling(-1))],
  ['without a size', 'views.0.window.size', /./, only({ kind: 'tumbling' })],
  ['with an offset as large as the size', 'views.0.window.offset', /less than size/, only(tumbling(10, 10))],
  ['with an offset as large, negative', 'views.0.window.offset', /less than size/, only(tumbling(10, -10))],
  ['of an unknown kind', 'views.0.window.kind', /'tumbling' \|.*'session'/, only({ kind: 'lunar' })],
  ['with a misspelt setting', 'views.0.window', /"ofset".*offset/, only({ ...tumbling(10), ofset: 1 })],

  ['with a slide of 0', 'views.1.window.slide', /more than 0/, sliding({ slide: 0 })],
  ['with a negative slide', 'views.1.window.slide', /more than 0/, sliding({ slide: '-5m' })],
  ['with a slide over the size', 'views.1.window.slide', /more than size/, sliding({ slide: '61m' })],
  ['sliding, with an offset as large', 'views.1.window.offset', /less than size/, sliding({ offset: '-1h' })],
  ['in 1,441 of which an event is', 'views.1.window.slide', /1,440/, sliding({ size: 1441, slide: 1 })],
  ['in 1,441 at times', 'views.1.window.slide', /1,440/, sliding({ size: 14_401, slide: 10 })],

  ['with a gap of 0', 'views.0.window.gap', /more than 0/, only({ kind: 'session', gap: 0 })],
  ['with a negative gap', 'views.0.window.gap', /more than 0/, only({ kind: 'session', gap: '-1m' })],

  ['with steps of 0', 'views.1.window.step', /more than 0/, cumulate(0, tumbling(3_600_000))],
  ['with a step over the whole', 'views.1.window.step', /adds up to/, cumulate('2h', tumbling(3_600_000))],
  ['with a step over the day', 'views.1.window.step', /adds up to/, cumulate('25h', shanghai)],
  ['with steps that do not fill it', 'views.1.window.step', /divide/, cumulate('7m', tumbling(3_600_000))],
  ['with 1,441 steps', 'views.1.window.step', /1,440/, cumulate('1m', tumbling(1_441 * 60_000))],
  [
    'with over 1,440 steps a nominal day',
    'views.0.window.step',
    /1,440/,
    {
      views: [{ id: 'c', window: { kind: 'cumulate', step: 59_999, within: shanghai } }],
    },
  ],
  [
    'that add up to a week',
    'views.1.window.within.unit',
    /day/,
    cumulate('1h', { ...shanghai, unit: 'week' }),
  ],
  ['with a whole of size 0', 'views.1.window.within.size', /more than 0/, cumulate('1m', tumbling(0))],

  ['of an unknown zone', 'views.1.window.zone', /IANA/, calendar({ zone: 'Mars/Olympus' })],
  ['of no zone', 'views.1.window.zone', /IANA/, calendar({ zone: '' })],
  ['by the quarter', 'views.1.window.unit', /"day"\|"week"\|"month"/, calendar({ unit: 'quarter' })],
  ['from 24:00', 'views.1.window.dayStart', /00:00 to 23:59/, calendar({ dayStart: '24:00' })],
  ['from 4:00', 'views.1.window.dayStart', /such as 04:00/, calendar({ dayStart: '4:00' })],
]

const NOT_OF_BASE: readonly Refused[] = [
  ['an hour that minutes do not fill', 'views.1.window', /\(1m\)/, beside(tumbling(90_000))],
  ['an hour that begins within a minute', 'views.1.window', /\(1m\)/, beside(tumbling(3_600_000, 1))],
  ['a whole that minutes do not fill', 'views.1.window.within', /\(1m\)/, cumulate('45s', tumbling(90_000))],
  ['steps that minutes do not fill', 'views.1.window.step', /\(1m\)/, cumulate('90s', tumbling(3_600_000))],
  [
    'a day over minutes with an offset',
    'views.1.window',
    /15m.*1m offset 1ms/,
    {
      views: [{ id: 'm', window: tumbling(60_000, 1) }, day('UTC')],
    },
  ],
  [
    'a day over half hours',
    'views.1.window',
    /15m.*30m/,
    {
      views: [{ id: 'm', window: tumbling(1_800_000) }, day('UTC')],
    },
  ],
  [
    'steps to a day over half hours',
    'views.1.window.within',
    /15m.*30m/,
    {
      views: [
        { id: 'm', window: tumbling(1_800_000) },
        { id: 'c', window: { kind: 'cumulate', step: '1h', within: shanghai } },
      ],
    },
  ],
  [
    'a day that begins within five minutes',
    'views.1.window.dayStart',
    /\(5m\)/,
    {
      views: [
        { id: 'm', window: tumbling(300_000) },
        { id: 'd', window: { ...shanghai, dayStart: '04:01' } },
      ],
    },
  ],
  [
    'a day of another zone, without minutes',
    'views.1.window',
    /such as 1m/,
    {
      views: [day('Europe/Berlin'), { ...day('Asia/Shanghai'), id: 'other' }],
    },
  ],
  [
    'a session beside a sliding view, without minutes',
    'views.1.window',
    /such as 1m/,
    {
      views: [{ id: 'x', window: { kind: 'sliding', size: '1h', slide: '5m' } }, session],
    },
  ],
  [
    'a sliding view beside a session, without minutes',
    'views.1.window',
    /sessions.*such as 1m/,
    {
      views: [session, { id: 'x', window: { kind: 'sliding', size: '1h', slide: '5m' } }],
    },
  ],
  [
    'two views of sessions, without minutes',
    'views.1.window',
    /sessions.*such as 1m/,
    {
      views: [session, { ...session, id: 'other' }],
    },
  ],
  ['only views by journal time', 'views', /by event time/, { views: [{ ...minute, time: 'journal' }] }],
  [
    'sessions by journal time',
    'views.1.time',
    /event time only/,
    {
      views: [minute, { ...session, time: 'journal' }],
    },
  ],
]

describe('a window', () => {
  test.each([...REFUSED, ...NOT_OF_BASE])('%s is refused for that alone, at %s', (_, path, says, over) => {
    const [refusal, ...more] = refusals(over)
    expect(refusal?.slice(0, path.length + 2)).toBe(`${path}: `)
    expect(refusal).toMatch(says)
    expect(more).toEqual([])
  })

  test.each<[string, Record<string, unknown>]>([
    ['an hour with a whole number of minutes of offset', beside(tumbling(3_600_000, -120_000))],
    ['an hour named before the minute', { views: [{ id: 'h', window: tumbling(3_600_000) }, minute] }],
    ['only a day', { views: [day('Asia/Shanghai')] }],
    ['only sessions', { views: [session] }],
    ['sessions beside minutes', { views: [session, minute] }],
    ['sessions beside arrivals by the minute', { views: [session, { ...minute, time: 'journal' }] }],
    [
      'a day beside arrivals by the hour',
      {
        views: [day('UTC'), { id: 'h', window: tumbling(3_600_000), time: 'journal' }],
      },
    ],
    ['two views of one day', { views: [day('UTC'), { ...day('UTC'), id: 'e', groupBy: ['region'] }] }],
    ['a slide as long as the size', sliding({ slide: '1h' })],
    ['a slide that minutes do not fill', sliding({ slide: '7s' })],
    ['1,440 windows an event', sliding({ size: '1d', slide: '1m' })],
    ['1,440 steps a nominal day', cumulate('1m', shanghai)],
    ['steps that end within one', cumulate('7m', shanghai)],
    [
      'a month from 04:30 over quarters of an hour',
      {
        views: [
          { id: 'q', window: tumbling(900_000) },
          { id: 'x', window: { ...shanghai, unit: 'month', dayStart: '04:30' } },
        ],
      },
    ],
  ])('as in "%s" is accepted', (_, over) => {
    expect(refusals(over)).toEqual([])
  })
})

test('a zone is an IANA name, the same on every runtime', () => {
  expect(
    ['Asia/Shanghai', 'UTC', 'Etc/GMT+8', 'America/Argentina/Ushuaia'].filter((name) => !isZone(name)),
  ).toEqual([])
  expect(['+08:00', '-0330', '08', '', ' UTC', 'GMT+8', 'Mars/Olympus'].filter(isZone)).toEqual([])
})

test('a start of the day is ms on the wall clock', () => {
  expect(['00:00', '04:30', '23:59'].map(dayStartMs)).toEqual([0, 16_200_000, 86_340_000])
})
