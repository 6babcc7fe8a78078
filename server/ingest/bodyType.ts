import type { IncomingMessage } from 'node:http'
import { AppError } from '../platform/errors'
import type { BodyKind } from './parseBody'

const KINDS: ReadonlyMap<string, BodyKind> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
])

/** The content types that are taken. */
export const BODY_TYPES: readonly string[] = [...KINDS.keys()]

/** How the body is to be read, from Content-Type. Throws AppError `unsupported_media_type` naming what is taken. */
export function bodyType(req: IncomingMessage): BodyKind {
  const header = req.headers['content-type'] ?? ''
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const kind = KINDS.get(type)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (kind && isUtf8) return kind
  throw new AppError(
    'unsupported_media_type',
    `Content-Type ${header === '' ? 'is missing' : `${JSON.stringify(header.slice(0, 80))} is not taken`}; ` +
      `send one of ${BODY_TYPES.join(', ')} in UTF-8`,
  )
}
