import type { PassThrough } from 'node:stream'
import { type CsvError, type Info, parse } from 'csv-parse'
import { FileProblem } from '../problem'
import type { FileEvent, ReadOptions } from './fileEvent'

/** Columns that are fields of an event or of its delivery; every other one is a dimension. */
const FIELDS = ['eventId', 'orderId', 'type', 'userId', 'amount', 'currency'] as const
const REQUIRED = ['source', 'eventId', 'orderId', 'amount', 'currency', 'eventTime']
const KNOWN = new Set<string>([...FIELDS, 'source', 'receivedAt', 'eventTime'])
const CHUNK = 1_000

interface Row {
  readonly record: string[]
  readonly info: Info
}

/** Reads CSV with a header. Columns go by name, in any order; an empty cell is an absent field. */
export async function* readCsv(
  file: string,
  text: PassThrough,
  options: ReadOptions,
): AsyncGenerator<FileEvent[]> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  })
  parser.on('skip', (error: CsvError) => {
    options.onBadLine(new FileProblem(file, Number(error.lines), null, error.message))
  })
  text.pipe(parser)
  let columns: Columns | null = null
  let chunk: FileEvent[] = []
  for await (const { record, info } of parser as AsyncIterable<Row>) {
    if (!columns) {
      columns = readHeader(file, record, options)
      continue
    }
    const event = toEvent(file, record, info.lines, columns, options)
    if (event) chunk.push(event)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (!columns) {
    options.onBadLine(
      new FileProblem(file, null, null, 'is empty: it needs a header line that names its columns'),
    )
  }
  if (chunk.length > 0) yield chunk
}

interface Columns {
  readonly names: readonly string[]
  readonly at: ReadonlyMap<string, number>
  readonly dimensions: readonly (readonly [name: string, at: number])[]
}

function readHeader(file: string, names: string[], options: ReadOptions): Columns {
  const at = new Map(names.map((name, i) => [name, i]))
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new FileProblem(file, 1, twice, 'stands in the header twice')
  const wanted = [...REQUIRED, ...options.required, ...(options.dimensions ?? [])]
  const missing = wanted.find((name) => !at.has(name))
  if (missing !== undefined) {
    throw new FileProblem(file, 1, missing, `is missing; the header has ${names.join(', ')}`)
  }
  const dimensions = options.dimensions ?? names.filter((name) => !KNOWN.has(name))
  return { names, at, dimensions: dimensions.map((name) => [name, at.get(name) ?? -1]) }
}

function toEvent(
  file: string,
  cells: string[],
  line: number,
  columns: Columns,
  options: ReadOptions,
): FileEvent | null {
  if (cells.length !== columns.names.length) {
    const fault = `has ${cells.length} cells, the header has ${columns.names.length} columns`
    options.onBadLine(new FileProblem(file, line, null, fault))
    return null
  }
  const cell = (name: string) => cells[columns.at.get(name) ?? -1] || undefined
  const receivedAt = cell('receivedAt')
  if (receivedAt !== undefined && !/^\d{1,16}$/.test(receivedAt)) {
    options.onBadLine(
      new FileProblem(file, line, 'receivedAt', `${JSON.stringify(receivedAt)} is not epoch milliseconds`),
    )
    return null
  }
  const value: Record<string, unknown> = { eventTime: numberOrText(cell('eventTime')) }
  for (const name of FIELDS) value[name] = cell(name)
  if (columns.dimensions.length > 0) value.dimensions = dimensionsOf(cells, columns)
  return {
    line,
    source: cell('source') ?? '',
    receivedAt: receivedAt === undefined ? null : Number(receivedAt),
    value,
  }
}

/** CSV has no numbers: a cell of digits is one, everything else stays text (an ISO time). */
function numberOrText(text: string | undefined): unknown {
  return text !== undefined && /^-?\d{1,19}$/.test(text) ? Number(text) : text
}

function dimensionsOf(cells: readonly string[], columns: Columns): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, at] of columns.dimensions) {
    const value = cells[at]
    if (value) out[name] = value
  }
  return out
}
