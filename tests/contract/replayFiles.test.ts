import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { tidemark } from '../support/cli'

/** `replay` on files with faults: it names file, line and column; `--skip-bad` goes on and counts. */
const folder = mkdtempSync(join(tmpdir(), 'tidemark-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HEADER = 'source,receivedAt,eventId,orderId,type,userId,amount,currency,eventTime,country'
const line = (id: string, over: Partial<Record<string, string>> = {}) => {
  const row = {
    source: 'pos-1',
    receivedAt: '1764460800500',
    eventId: id,
    orderId: id,
    type: 'order',
    userId: '',
    amount: '10.00',
    currency: 'EUR',
    eventTime: '1764460800000',
    country: 'France',
    ...over,
  }
  return Object.values(row).join(',')
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const replay = (path: string, ...more: string[]) =>
  tidemark([
    'replay',
    path,
    '--window',
    '1h',
    '--bound',
    '5m',
    '--lateness',
    '30m',
    '--key',
    'country',
    ...more,
  ])

describe('replay of a faulty file', () => {
  it('names the column that is missing', async () => {
    const ran = await replay(file('column.csv', `${HEADER.replace('amount', 'price')}\n${line('a')}\n`))
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(
      'column.csv, line 1, column amount: is missing; the header has source, receivedAt',
    )
  })

  it('names the key column that is missing', async () => {
    const ran = await replay(file('key.csv', `${HEADER.replace('country', 'land')}\n${line('a')}\n`))
    expect(ran.stderr).toContain('key.csv, line 1, column country: is missing')
  })

  it('names line and column of a bad amount, and leaves it out with --skip-bad', async () => {
    const path = file('amount.csv', [HEADER, line('a'), line('b', { amount: '1e3' }), line('c')].join('\n'))
    const stopped = await replay(path)
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain('amount.csv, line 3, column amount: amount "1e3"')
    const out = join(folder, 'amount.json')
    const ran = await replay(path, '--skip-bad', '--out', out)
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('2 in time, 0 corrected, 0 late, 0 duplicate, 1 quarantined')
    expect(ran.stdout).toContain('1 bad lines skipped')
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      events: 2,
      windows: [{ last: { gross: '20.0000' } }],
    })
  })

  it('names a line with the wrong number of cells', async () => {
    const path = file('cells.csv', [HEADER, line('a'), 'x,y'].join('\n'))
    expect((await replay(path)).stderr).toContain('cells.csv, line 3: has 2 cells, the header has 10 columns')
    expect((await replay(path, '--skip-bad')).stdout).toContain('1 events: 1 in time')
  })

  it('says where a gzip was cut, and counts what came before it with --skip-bad', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => line(`id-${i * 7919}`))
    const whole = gzipSync([HEADER, ...rows].join('\n'))
    const path = file('cut.csv.gz', whole.subarray(0, whole.length >> 1))
    const stopped = await replay(path)
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toMatch(/cut\.csv\.gz, line \d+: the gzip ends here, in the middle/)
    const ran = await replay(path, '--skip-bad')
    expect(ran.code).toBe(0)
    expect(Number(/^(\d+) events/.exec(ran.stdout)?.[1])).toBeGreaterThan(1000)
  })

  it.each([
    ['nothing.csv', '', 'is empty'],
    ['text.csv.gz', 'no gzip', 'is not readable as gzip'],
    ['orders.xlsx', 'PK', 'must end in .csv'],
    ['twice.csv', `${HEADER},amount\n`, 'column amount: stands in the header twice'],
    ['when.csv', `${HEADER}\n${line('a', { receivedAt: 'noon' })}`, 'line 2, column receivedAt: "noon"'],
    ['from.csv', `${HEADER}\n${line('a', { source: 'a b' })}`, 'line 2, column source: "a b"'],
    ['bad.ndjson', '{"source":"a"}\n{', 'line 1, column receivedAt: is missing'],
    ['bad.jsonl', '[]', 'line 1: is not a JSON object'],
  ])('%s: says what is wrong', async (name, content, fault) => {
    const ran = await replay(file(name, content))
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(name)
    expect(ran.stderr).toContain(fault)
    expect(ran.stderr).not.toContain('    at ')
  })

  it('reads NDJSON as it reads CSV; an order of columns does not matter', async () => {
    const event = {
      source: 'a',
      receivedAt: 1764460800500,
      eventId: 'x',
      orderId: 'x',
      amount: '19.99',
      currency: 'EUR',
    }
    const path = file(
      'good.ndjson',
      JSON.stringify({ ...event, eventTime: 1764460800000, dimensions: { country: 'F' } }),
    )
    const out = join(folder, 'good.json')
    expect((await replay(path, '--out', out)).code).toBe(0)
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      windows: [{ key: 'F', last: { gross: '19.9900' } }],
    })
  })
})
