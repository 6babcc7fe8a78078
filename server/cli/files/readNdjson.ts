import { createInterface } from 'node:readline'
import type { PassThrough } from 'node:stream'
import { FileProblem } from '../problem'
import type { FileEvent, ReadOptions } from './fileEvent'

const CHUNK = 1_000

/** Reads one JSON object a line: an event as a producer sends it, plus `source` and, where known, `receivedAt`. */
export async function* readNdjson(
  file: string,
  text: PassThrough,
  options: ReadOptions,
): AsyncGenerator<FileEvent[]> {
  let line = 0
  let chunk: FileEvent[] = []
  for await (const content of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++
    if (content.trim() === '') continue
    const event = toEvent(file, line, content, options)
    if (event) chunk.push(event)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

function toEvent(file: string, line: number, content: string, options: ReadOptions): FileEvent | null {
  const bad = (column: string | null, fault: string) => {
    options.onBadLine(new FileProblem(file, line, column, fault))
    return null
  }
  const object = parseObject(content)
  if (!object) return bad(null, 'is not a JSON object')
  const { source, receivedAt, ...value } = object
  if (typeof source !== 'string') return bad('source', 'is missing or is not text')
  if (receivedAt !== undefined && !Number.isSafeInteger(receivedAt))
    return bad('receivedAt', 'is not epoch milliseconds')
  const missing = options.required.find((name) => object[name] === undefined)
  if (missing !== undefined) return bad(missing, 'is missing')
  return { line, source, receivedAt: typeof receivedAt === 'number' ? receivedAt : null, value }
}

function parseObject(content: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
