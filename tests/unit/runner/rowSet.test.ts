import { describe, expect, it } from 'vitest'
import type { Row, RowGroup } from '@/server/engine/row'
import { RowSet } from '@/server/runner/rowSet'

const group = (name: string): RowGroup => ({
  isPublished: () => false,
  row: (ordinal) => ({ view: name, windowId: ordinal }) as Row,
})
const namesOf = (set: RowSet) => Array.from(set.rows(), (row) => `${row.view}${row.windowId}`)

describe('a set of rows', () => {
  it('holds each row once, and reads it when it is asked for', () => {
    const [a, b] = [group('a'), group('b')]
    const set = new RowSet()
    for (const [of, ordinal] of [
      [a, 1],
      [b, 1],
      [a, 1],
      [a, 0],
    ] as const)
      set.add(of, ordinal)
    expect(set.size).toBe(3)
    expect(namesOf(set)).toEqual(['a1', 'a0', 'b1'])
  })

  it('lets go of rows one by one and all at once', () => {
    const [a, b] = [group('a'), group('b')]
    const set = new RowSet()
    set.add(a, 1)
    set.add(b, 2)
    set.delete(a, 1)
    set.delete(a, 1)
    set.delete(b, 7)
    expect([set.size, namesOf(set)]).toEqual([1, ['b2']])
    set.clear()
    expect([set.size, namesOf(set)]).toEqual([0, []])
  })
})
