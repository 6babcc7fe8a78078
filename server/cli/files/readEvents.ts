import { FileProblem } from '../problem'
import type { FileEvent, ReadOptions } from './fileEvent'
import { readCsv } from './readCsv'
import { readNdjson } from './readNdjson'
import { openText } from './source'

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
