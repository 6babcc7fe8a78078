import { describe, expect, it } from 'vitest'
import type { CommandDone } from '@/server/contracts/flush'
import { CommandDesk } from '@/server/runner/commandDesk'

const doneAt = (position: number): CommandDone => ({
  position,
  at: position,
  command: { kind: 'markIdle', source: 'pos-1' },
  order: { by: 'ann', reason: '' },
  outcome: { kind: 'markIdle', refused: null, changes: [], watermarkBefore: null, watermarkAfter: null },
})

describe('the command desk', () => {
  it('brings each outcome to who gave that command, however they are folded', async () => {
    const desk = new CommandDesk()
    const given = [7, 9, 8].map((position) => desk.give(async () => position))
    await Promise.resolve()
    for (const position of [8, 7, 9]) desk.folded(doneAt(position))
    expect((await Promise.all(given)).map((done) => done.position)).toEqual([7, 9, 8])
  })

  it('knows the outcome of a command that was folded before the answer to its append was heard', async () => {
    const desk = new CommandDesk()
    const slow = desk.give(async () => {
      desk.folded(doneAt(3))
      // Another one ends meanwhile, which must not make the desk forget.
      await desk.give(async () => {
        desk.folded(doneAt(4))
        return 4
      })
      return 3
    })
    expect(await slow).toMatchObject({ position: 3 })
  })

  it('keeps nothing of commands that nobody here gave', async () => {
    const desk = new CommandDesk()
    desk.folded(doneAt(5))
    const later = desk.give(async () => 5)
    desk.close()
    await expect(later).rejects.toMatchObject({ code: 'journal_unavailable' })
  })

  it('says what the journal said when that did not take the command, and goes on', async () => {
    const desk = new CommandDesk()
    const refusal = new Error('no')
    await expect(desk.give(() => Promise.reject(refusal))).rejects.toBe(refusal)
    const next = desk.give(async () => 2)
    await Promise.resolve()
    desk.folded(doneAt(2))
    expect(await next).toMatchObject({ position: 2 })
  })

  it('tells everybody who waits when it closes, with what becomes of the command', async () => {
    const desk = new CommandDesk()
    const waiting = desk.give(async () => 1)
    await Promise.resolve()
    await Promise.resolve()
    desk.close()
    await expect(waiting).rejects.toThrow(/carried out at the next start/)
    await expect(desk.give(async () => 2)).rejects.toThrow(/stopping/)
  })
})
