import { describe, expect, test } from 'vitest'
import { Flaw } from '../../../server/ingest/flaw'
import { parseBody } from '../../../server/ingest/parseBody'
import { AppError } from '../../../server/platform/errors'

const json = (text: string | Buffer) => parseBody(Buffer.from(text as string), 'json')
const lines = (text: string) => parseBody(Buffer.from(text), 'ndjson')

function refused(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('a JSON array', () => {
  test('gives its values, and the text of each as it was sent', () => {
    const body = json(' [ {"a": 1.10 , "b":"]}\\"" },\n[1,[2]], "中", null ] ')
    expect(body.values).toEqual([{ a: 1.1, b: ']}"' }, [1, [2]], '中', null])
    expect([0, 1, 2, 3].map(body.rawOf)).toEqual(['{"a": 1.10 , "b":"]}\\"" }', '[1,[2]]', '"中"', 'null'])
    expect(json('[]').values).toEqual([])
    expect(json('\ufeff[1]').values).toEqual([1])
  })

  test.each([
    ['', 'it is empty'],
    ['[1,\n 2,]', 'unexpected "]" at line 2 column 4'],
    ['[1', 'it ends too early, at line 1 column 3'],
    ['[{"a":}]', 'unexpected "}" at line 1 column 7'],
    ['[1] x', 'unexpected "x" at line 1 column 5'],
    ['[01]', 'unexpected "1" at line 1 column 3'],
    ['{"a":1}\n{"a":2}', 'application/x-ndjson'],
    ['{"a":1}', 'an object, not a list'],
  ])('%j is malformed, with the place', (text, message) => {
    const error = refused(() => json(text))
    expect(error.code).toBe('malformed_body')
    expect(error.message).toContain(message)
    expect(error.message).toContain('Nothing was stored')
  })

  test.each([
    [[0x5b, 0xff, 0x5d], 1],
    [[0x22, 0xe4, 0xb8, 0x22], 1],
    [[0x61, 0xe4, 0xb8, 0xad, 0xc0, 0x80], 4],
    [[0x61, 0xed, 0xa0, 0x80], 1],
    [[0x61, 0x62, 0xf0, 0x9f], 2],
    [[0xef, 0xbf, 0xbd, 0xff], 3],
  ])('bytes %j are not UTF-8 from byte %i', (bytes, at) => {
    expect(refused(() => json(Buffer.from(bytes))).message).toContain(`byte ${at} `)
  })
})

describe('NDJSON', () => {
  test('a bad line is set aside alone, blank lines are skipped', () => {
    const body = lines('{"a":1}\r\n\n  \n{bad\0\n{"a":2}\n{"a":')
    expect(body.values).toHaveLength(4)
    expect(body.values[0]).toEqual({ a: 1 })
    expect(body.values[2]).toEqual({ a: 2 })
    expect(body.values[1]).toMatchObject({ code: 'wrong_type', message: expect.stringContaining('line 4') })
    expect(body.values[3]).toBeInstanceOf(Flaw)
    expect([0, 1, 2, 3].map(body.rawOf)).toEqual(['{"a":1}', '{bad\0', '{"a":2}', '{"a":'])
  })

  test('4 MiB of empty lines cost one pass', () => {
    expect(lines('\n'.repeat(4 << 20)).values).toHaveLength(0)
    expect(lines(' \r\n'.repeat(1 << 20)).values).toHaveLength(0)
  })

  test('stops at the first line too many', () => {
    expect(lines('1\n'.repeat(5_000)).values).toHaveLength(5_000)
    expect(refused(() => lines('1\n'.repeat(5_001))).code).toBe('too_many_events')
  })
})
