import { describe, expect, it } from 'vitest'
import { PipelineSpec } from '@/server/contracts/pipelineSpec'
import { MemoryJournal } from '@/server/journal/memory'
import { JournalDamaged } from '@/server/journal/port'
import { StartupError } from '@/server/platform/startupError'
import { beginJournal } from '@/server/runner/begin'
import { journalOf, minuteSpec } from '@/tests/support/pipeline'

const other = PipelineSpec.parse({ ...minuteSpec, allowedLateness: '5m' })
const at = () => 5_000
const none = { inForce: null, first: null }
const kinds = async (journal: MemoryJournal) => (await journal.read(0, 10)).map((record) => record.kind)

describe('beginning a journal', () => {
  it('an empty one gets the definition first', async () => {
    const journal = new MemoryJournal()
    await beginJournal(journal, at, { spec: minuteSpec, explicit: false }, none)
    expect(await journal.read(0, 10)).toEqual([{ kind: 'spec', at: 5_000, spec: minuteSpec, position: 1 }])
  })

  it('one that has records is told from when to when nobody listened', async () => {
    const journal = await journalOf({ kind: 'tick', at: 900 })
    await beginJournal(journal, at, { spec: other, explicit: false }, none)
    expect((await journal.read(2, 1))[0]).toEqual({ kind: 'resumed', at: 5_000, pausedAt: 900, position: 3 })
  })

  it('a definition that was asked for and is not the one in force stops the start, and nothing is written', async () => {
    const journal = await journalOf()
    const start = beginJournal(journal, at, { spec: other, explicit: true }, { ...none, inForce: minuteSpec })
    await expect(start).rejects.toBeInstanceOf(StartupError)
    await expect(start).rejects.toMatchObject({ mend: expect.stringContaining('changeSpec') })
    expect(await kinds(journal)).toEqual(['spec'])
  })

  it('the file that the database began with goes on to start it, after commands changed what is in force', async () => {
    const journal = await journalOf()
    const inForce = { ...other, version: 2 }
    await beginJournal(journal, at, { spec: minuteSpec, explicit: true }, { ...none, inForce })
    expect(await kinds(journal)).toEqual(['spec', 'resumed'])
  })

  it('so does a file that says what is in force, whatever number that has', async () => {
    const journal = await journalOf()
    const inForce = { ...other, version: 7, tzdata: '2026a' }
    await beginJournal(journal, at, { spec: other, explicit: true }, { ...none, inForce })
    expect(await kinds(journal)).toEqual(['spec', 'resumed'])
  })

  it('once the first record is no longer kept, the table of definitions says what the database began with', async () => {
    const trimmed = await trimmedJournal()
    const known = { inForce: { ...other, version: 2 }, first: minuteSpec }
    await beginJournal(trimmed, at, { spec: minuteSpec, explicit: true }, known)
    await beginJournal(trimmed, at, { spec: other, explicit: true }, known)
    expect(await kinds(trimmed)).toEqual(['tick', 'resumed', 'resumed'])
    const third = PipelineSpec.parse({ ...minuteSpec, allowedLateness: '7m' })
    const start = beginJournal(trimmed, at, { spec: third, explicit: true }, known)
    await expect(start).rejects.toBeInstanceOf(StartupError)
  })

  it('results without a journal are not run on', async () => {
    const empty = new MemoryJournal()
    const known = { inForce: minuteSpec, first: minuteSpec }
    const start = beginJournal(empty, at, { spec: minuteSpec, explicit: false }, known)
    await expect(start).rejects.toBeInstanceOf(StartupError)
    expect(await empty.end()).toBeNull()
  })

  it('a first record that is damaged is spared where the table of definitions knows it', async () => {
    const journal = await journalOf({ kind: 'tick', at: 900 })
    journal.read = () => Promise.reject(new JournalDamaged(1, 'its checksum does not match'))
    const known = { inForce: minuteSpec, first: minuteSpec }
    await beginJournal(journal, at, { spec: minuteSpec, explicit: true }, known)
    await expect(beginJournal(journal, at, { spec: minuteSpec, explicit: true }, none)).rejects.toThrow(
      'damaged',
    )
  })

  it('a journal without its beginning, in a database that knows no definition, is not run on', async () => {
    const trimmed = await trimmedJournal()
    await expect(beginJournal(trimmed, at, { spec: minuteSpec, explicit: false }, none)).rejects.toThrow(
      'does not begin with a spec record',
    )
    expect(await kinds(trimmed)).toEqual(['tick'])
  })
})

/** Its spec record is gone. */
async function trimmedJournal(): Promise<MemoryJournal> {
  const journal = await journalOf({ kind: 'tick', at: 900 })
  const { read } = MemoryJournal.prototype
  journal.read = (after, limit) => read.call(journal, Math.max(1, after), limit)
  return journal
}
