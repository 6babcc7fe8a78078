import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { NotOurs } from './notOurs'

const Loose = z.looseObject({})
export type Loose = Readonly<Record<string, unknown>>

export const Vector = z.looseObject({
  id: z.string().min(1),
  kind: z.string(),
  dialect: z.string(),
  config: Loose.default({}),
  steps: z.array(Loose).default([]),
  expected: z.array(Loose).default([]),
  lateSideOutput: z.array(Loose).optional(),
  antiVector: z.boolean().optional(),
  ourExpected: z.unknown().optional(),
  /** Of `invalid-config`: definitions each of which must be refused. */
  invalid: z.array(Loose).optional(),
})
export type Vector = z.infer<typeof Vector>

const VectorFile = z.looseObject({
  schema: Loose,
  count: z.number().optional(),
  vectors: z.array(z.looseObject({ id: z.string().min(1) })).min(1),
})
export type RawVector = z.infer<typeof VectorFile>['vectors'][number]

/** A file that holds no vectors; the message is for the person who named it. */
export class NotVectors extends Error {}

/** The vectors of a file, each still to be read by `readVector`. Throws NotVectors. */
export function readVectorFile(path: string): readonly RawVector[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new NotVectors(`cannot read ${path}: ${(error as Error).message}`)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new NotVectors(`${path} is not JSON: ${(error as Error).message}`)
  }
  const file = VectorFile.safeParse(json)
  if (!file.success) throw new NotVectors(`${path} is not a file of vectors: ${issuesOf(file.error)}`)
  const { count, vectors } = file.data
  if (count !== undefined && count !== vectors.length) {
    throw new NotVectors(`${path} says that it holds ${count} vectors, but holds ${vectors.length}`)
  }
  return vectors
}

/** Throws NotOurs for a vector that is not of the schema. */
export function readVector(raw: unknown): Vector {
  const vector = Vector.safeParse(raw)
  if (!vector.success) throw new NotOurs(`not of the schema: ${issuesOf(vector.error)}`)
  return vector.data
}

export function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
    .join('; ')
}
