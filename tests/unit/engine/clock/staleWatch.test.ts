import { describe, expect, test } from 'vitest'
import { MIN_INSTANT } from '../../../../server/contracts/instant'
import { StaleWatch } from '../../../../server/engine/clock/staleWatch'

const DAY = 86_400_000
const NOW = 1_770_000_000_000

/** Shows so many events to a watch: stale ones, or live ones. True when any of them turned its flag. */
function see(watch: StaleWatch, stale: number, live = 0): boolean {
  let turned = false
  for (let i = 0; i < stale; i++) turned = watch.see(NOW - DAY - 1, NOW) || turned
  for (let i = 0; i < live; i++) turned = watch.see(NOW, NOW) || turned
  return turned
}

describe('a source that sends its history again', () => {
  test('is named when more than half of its last 200 events are stale, not before 200 are known', () => {
    const watch = new StaleWatch()
    expect([see(watch, 199), watch.resendsHistory]).toEqual([false, false])
    expect([see(watch, 1), watch.resendsHistory]).toEqual([true, true])
  })

  test('is not named for exactly half', () => {
    const watch = new StaleWatch()
    expect([see(watch, 100, 100), watch.resendsHistory]).toEqual([false, false])
    // The one that goes is stale too.
    expect(see(watch, 1)).toBe(false)
    expect(see(new StaleWatch(), 101, 99)).toBe(true)
  })

  test('is one whose events are strictly more than 24 h behind what it had sent before', () => {
    const watch = new StaleWatch()
    for (let i = 0; i < 300; i++) watch.see(NOW - DAY, NOW)
    expect(watch.resendsHistory).toBe(false)
    for (let i = 0; i < 101; i++) watch.see(NOW - DAY - 1, NOW)
    expect(watch.resendsHistory).toBe(true)
  })

  test('is none that has sent nothing before', () => {
    const watch = new StaleWatch()
    for (let i = 0; i < 300; i++) watch.see(-NOW, MIN_INSTANT)
    expect(watch.resendsHistory).toBe(false)
  })

  test('is named no longer once half of its last 200 are live, and can be named again', () => {
    const watch = new StaleWatch()
    see(watch, 200)
    expect([see(watch, 0, 99), watch.resendsHistory]).toEqual([false, true])
    expect([see(watch, 0, 1), watch.resendsHistory]).toEqual([true, false])
    see(watch, 0, 100)
    expect([see(watch, 100), see(watch, 1), watch.resendsHistory]).toEqual([false, true, true])
  })

  test('is known after a restart as before it', () => {
    const before = new StaleWatch()
    see(before, 150, 49)
    const after = new StaleWatch()
    after.restore(structuredClone(before.save()))
    for (const watch of [before, after]) {
      expect([see(watch, 0, 1), see(watch, 0, 49), watch.resendsHistory]).toEqual([true, false, true])
      expect([see(watch, 0, 1), watch.resendsHistory]).toEqual([true, false])
    }
    const named = new StaleWatch()
    see(named, 200)
    after.restore(structuredClone(named.save()))
    expect(after.resendsHistory).toBe(true)
  })

  test('is not named after a restart for exactly half', () => {
    const [before, after] = [new StaleWatch(), new StaleWatch()]
    see(before, 100, 100)
    after.restore(structuredClone(before.save()))
    expect(after.resendsHistory).toBe(false)
  })
})
