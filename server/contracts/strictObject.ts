import { z } from 'zod'

/**
 * An object of a definition. A field that it does not know is refused by name, and the known ones are listed: a
 * misspelt setting must not be one without effect (field case 46).
 */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}; there are: ${known}`
        : undefined,
  })
}

/** For a check across fields: it has nothing to say while one of them is wrong itself. */
export const whenFieldsAreRight = {
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
}
