import { FileProblem } from '../problem'
import { readCsv } from './readCsv'
import { readNdjson } from './readNdjson'
import { openText } from './source'

/** One event of a file: where it stood, and its value as a producer would send it. */
export interface FileEvent {
  readonly line: number
  readonly source: string
  /** epoch ms; null when the file has none */
  readonly receivedAt: number | null
  readonly value: Readonly<Record<string, unknown>>
}

export interface ReadOptions {
  /** Columns that a file must have beside those of an event. */
  readonly required: readonly string[]
  /** Columns that become dimensions; null: all that are no field of an event. */
  readonly dimensions: readonly string[] | null
  /** Called for a line that is not an event at all; throws to stop. */
  readonly onBadLine: (problem: FileProblem) => void
}

/** Reads events in the order of the file (CSV or NDJSON by name, optionally .gz), in chunks. */
export async function* readEvents(
  file: string,
  options: ReadOptions,
  progress: (read: number, size: number) => void,
): AsyncGenerator<FileEvent[]> {
  const source = openText(file)
  let cut = false
  // The line that a cut file ends in is no event; what is wrong is the file, not the line.
  const onBadLine = (problem: FileProblem) => {
    const fault = source.fault()
    if (fault === null) return options.onBadLine(problem)
    cut = true
    options.onBadLine(new FileProblem(file, problem.line, null, fault))
  }
  const read = kindOf(file) === 'csv' ? readCsv : readNdjson
  let last = 1
  for await (const chunk of read(file, source.stream, { ...options, onBadLine })) {
    last = chunk.at(-1)?.line ?? last
    yield chunk
    progress(source.bytesRead(), source.size)
  }
  const fault = source.fault()
  if (fault !== null && !cut) options.onBadLine(new FileProblem(file, last, null, fault))
}

function kindOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv(\.gz)?$/i.test(file)) return 'csv'
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(file)) return 'ndjson'
  throw new FileProblem(file, null, null, 'must end in .csv, .ndjson or .jsonl, with or without .gz')
}
