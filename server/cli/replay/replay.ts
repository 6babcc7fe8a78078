import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { EventBatchBuilder } from '../../contracts/eventBatch'
import type { JournalEntry } from '../../contracts/journalRecord'
import { SOURCE_NAME } from '../../contracts/limits'
import type { PipelineSpec } from '../../contracts/pipelineSpec'
import type { Rejected } from '../../contracts/quarantine'
import { stringAt } from '../../contracts/stringTable'
import type { StepOutcome } from '../../engine/outcome'
import { type EngineState, initialState } from '../../engine/state'
import { step } from '../../engine/step'
import { checkEvent } from '../../ingest/checkEvent'
import { Flaw } from '../../ingest/flaw'
import { toRejected } from '../../ingest/rejected'
import { rulesFor, type SourceRules } from '../../ingest/sourceRules'
import type { FileEvent } from '../files/fileEvent'
import { readEvents } from '../files/readEvents'
import { FileProblem } from '../problem'
import { startProgress } from '../progress'
import { type ReplayOptions, toSpec } from './options'
import { ReplayReport } from './report'

/** No event is ever late under it: the fold that tells the truth. */
const FOREVER = Number.MAX_SAFE_INTEGER

/**
 * Runs a file through the real parser and the real engine, with `receivedAt` as journal time; no database and no
 * clock (design.md §7). Two folds run over the same records: the pipeline as asked for, and one that waits for ever.
 */
export class Replay {
  readonly #file: string
  readonly #options: ReplayOptions
  readonly #spec: PipelineSpec
  readonly #asked = initialState()
  readonly #truth = initialState()
  readonly #report = new ReplayReport()
  readonly #rules = new Map<string, SourceRules>()
  #position = 0
  #at = 0
  #builder = new EventBatchBuilder()
  #rejected: Rejected[] = []
  #badLines = 0
  #backwards = 0
  #read = 0

  constructor(file: string, options: ReplayOptions) {
    this.#file = file
    this.#options = options
    this.#spec = toSpec(options, options.lateness)
  }

  async run(): Promise<void> {
    const started = performance.now()
    this.#begin()
    const progress = startProgress(`replay ${this.#file}`)
    try {
      const reading = { required: ['receivedAt'], dimensions: this.#options.key, onBadLine: this.#onBadLine }
      const events = readEvents(this.#file, reading, (read, size) => {
        progress.update(read, size, `${this.#read} events`)
      })
      for await (const chunk of events) for (const event of chunk) this.#take(event)
    } finally {
      progress.stop()
    }
    this.#flush()
    this.#finish((performance.now() - started) / 1000)
  }

  #begin(): void {
    const position = ++this.#position
    step(this.#asked, { position, kind: 'spec', at: 0, spec: this.#spec })
    step(this.#truth, { position, kind: 'spec', at: 0, spec: toSpec(this.#options, FOREVER) })
  }

  readonly #onBadLine = (problem: FileProblem): void => {
    if (!this.#options.skipBad) throw withHint(problem)
    this.#badLines++
    if (this.#badLines <= 20) process.stderr.write(`skipped: ${problem.message}\n`)
  }

  #take(event: FileEvent): void {
    const { line, source, receivedAt } = event
    if (!SOURCE_NAME.test(source)) {
      this.#onBadLine(
        new FileProblem(this.#file, line, 'source', `${JSON.stringify(source)} is no name of a source`),
      )
      return
    }
    if (receivedAt === null) {
      this.#onBadLine(new FileProblem(this.#file, line, 'receivedAt', 'is missing'))
      return
    }
    this.#read++
    if (receivedAt < this.#at) this.#backwards++
    // Journal time never goes back (semantics.md §1).
    this.#at = Math.max(this.#at, receivedAt)
    const rules = this.#rulesFor(source)
    const checked = checkEvent(event.value, rules, this.#at)
    if (checked instanceof Flaw) this.#reject(event, checked, rules)
    else this.#builder.add(checked)
    if (this.#builder.count >= this.#options.batch) this.#flush()
  }

  #reject(event: FileEvent, flaw: Flaw, rules: SourceRules): void {
    this.#onBadLine(new FileProblem(this.#file, event.line, flaw.field, flaw.message))
    // A record of its own: a rejected event has the record's journal time, and that of its neighbours is another.
    this.#flush()
    this.#rejected.push(toRejected(event.line, event.value, flaw, JSON.stringify(event.value), rules))
    this.#flush()
  }

  #rulesFor(source: string): SourceRules {
    const rules = this.#rules.get(source) ?? rulesFor(this.#spec, source)
    this.#rules.set(source, rules)
    return rules
  }

  #flush(): void {
    if (this.#builder.count === 0 && this.#rejected.length === 0) return
    const batch = this.#builder.build()
    const at = batch.journalTime[batch.count - 1] ?? this.#at
    const outcome = this.#fold({ kind: 'events', at, batch, rejected: this.#rejected })
    for (const { row } of outcome.late) this.#report.addLate(stringAt(batch.strings, batch.eventId[row] ?? 0))
    this.#builder = new EventBatchBuilder(this.#options.batch * 64)
    this.#rejected = []
  }

  #fold(entry: JournalEntry): StepOutcome {
    const position = ++this.#position
    step(this.#truth, { ...entry, position })
    const outcome = step(this.#asked, { ...entry, position })
    for (const revision of outcome.revisions) this.#report.addRevision(revision)
    return outcome
  }

  #finish(seconds: number): void {
    const watermark = this.#asked.clock.watermark
    // Before the end of time, at which every window of this fold would be given back.
    this.#report.addTruth(this.#truth)
    this.#fold({ kind: 'end', at: this.#at })
    const json = this.#report.toJson(this.#asked, watermark)
    if (this.#options.out) write(this.#options.out, JSON.stringify(json))
    process.stdout.write(summary(this.#asked, this.#report.windows, seconds))
    if (this.#badLines > 0) process.stdout.write(`${this.#badLines} bad lines skipped\n`)
    if (this.#backwards > 0)
      process.stdout.write(
        `${this.#backwards} events had a receivedAt before the one above them; journal time does not go back\n`,
      )
  }
}

function withHint(problem: FileProblem): FileProblem {
  return new FileProblem(
    problem.file,
    problem.line,
    problem.column,
    `${problem.fault}\nMend the file, or leave such lines out with --skip-bad.`,
  )
}

function write(out: string, json: string): void {
  writeFileSync(out, out.endsWith('.gz') ? gzipSync(json) : json)
}

function summary(state: EngineState, windows: number, seconds: number): string {
  const { received, inTime, corrected, late, duplicate, quarantined } = state.counts
  const rate = Math.round(received / seconds).toLocaleString('en')
  return (
    `${received} events: ${inTime} in time, ${corrected} corrected, ${late} late, ${duplicate} duplicate, ${quarantined} quarantined\n` +
    `${windows} windows; ${seconds.toFixed(1)} s, ${rate} events/s\n`
  )
}
