import { expect, it } from 'vitest'
import { connectionWords } from '@/app/features/shell/prepare'
import { plain } from '../../builders'

it('the connection is said in words', () => {
  expect(connectionWords('live', 0)).toBe('live')
  expect(connectionWords('connecting', 900)).toBe('connecting')
  expect(connectionWords('reconnecting', 3_000)).toBe('reconnecting')
  expect(plain(connectionWords('stale', 42_000))).toBe('stale for 42 s')
})
