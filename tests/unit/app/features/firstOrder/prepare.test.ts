import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { firstOrderCommand } from '@/app/features/firstOrder/prepare'

it('the command that teaches is a valid command with a valid body and the time of now', () => {
  const command = firstOrderCommand('http://localhost:3000').replace(/^curl/, 'printf "%s\\n"')
  const args = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
  const body = args.slice(args.indexOf('{'))
  const parsed = JSON.parse(body) as { source: string; events: { eventTime: number; amount: string }[] }
  expect(parsed.source).toBe('pos-1')
  expect(parsed.events[0]?.amount).toBe('129.90')
  expect(Math.abs((parsed.events[0]?.eventTime ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(args).toContain('Authorization: Bearer YOUR_KEY')
})
