import type { EventFields } from '../contracts/eventBatch'
import { LIMITS } from '../contracts/limits'
import { Flaw, show } from './flaw'
import type { SourceRules } from './sourceRules'
import { checkText, readOptionalText } from './textField'

type Dimensions = EventFields['dimensions']

/**
 * Reads a record of at most 8 short texts (design.md §3). Only own keys count, so `__proto__` and `constructor` are
 * names like any other. A value of null or '' is absent and not counted. Fields that the source maps to dimensions
 * are read beside the record, and win over it.
 */
export function readDimensions(
  event: Readonly<Record<string, unknown>>,
  rules: SourceRules,
): Dimensions | Flaw {
  const field = rules.fields.dimensions
  const value = event[field]
  const isRecord = typeof value === 'object' && !Array.isArray(value)
  if (value !== undefined && !isRecord) {
    return new Flaw(
      'wrong_type',
      field,
      `${field} is ${show(value)}; send an object of texts such as {"region":"east"}`,
    )
  }
  const pairs: [string, string][] = []
  const flaw = readRecord(value ?? {}, rules, pairs) ?? readFlat(event, rules, pairs)
  if (flaw) return flaw
  return pairs.length <= LIMITS.dimensions ? pairs : tooMany(pairs.length, field)
}

function readRecord(record: object, rules: SourceRules, pairs: [string, string][]): Flaw | null {
  for (const [name, item] of Object.entries(record)) {
    const text = readOptionalText(item, name, LIMITS.dimensionValueChars)
    if (text === null || (rules.flat.length > 0 && rules.flat.some(([flat]) => flat === name))) continue
    const flaw = text instanceof Flaw ? placed(item, name, rules) : checkName(name, rules.fields.dimensions)
    if (flaw) return flaw
    if (typeof text === 'string') pairs.push([name, text])
  }
  return null
}

/** The flaw of a value again, under the whole path: made only for flaws, since a path costs as much as the check. */
function placed(item: unknown, name: string, rules: SourceRules): Flaw | null {
  const path = `${rules.fields.dimensions}.${shortName(name)}`
  const flaw = readOptionalText(item, path, LIMITS.dimensionValueChars)
  return flaw instanceof Flaw ? flaw : null
}

function readFlat(
  event: Readonly<Record<string, unknown>>,
  rules: SourceRules,
  pairs: [string, string][],
): Flaw | null {
  for (const [name, field] of rules.flat) {
    const text = readOptionalText(event[field], field, LIMITS.dimensionValueChars)
    if (text instanceof Flaw) return text
    if (text !== null) pairs.push([name, text])
  }
  return null
}

function checkName(name: string, field: string): Flaw | null {
  if (name === '') return new Flaw('wrong_type', field, `${field} has an empty name: name every dimension`)
  const checked = checkText(name, `${field}'s name`, LIMITS.dimensionNameChars)
  return checked instanceof Flaw ? new Flaw(checked.code, field, checked.message) : null
}

function tooMany(count: number, field: string): Flaw {
  return new Flaw(
    'too_long',
    field,
    `${field} has ${count} entries; at most ${LIMITS.dimensions} are kept: send those you group by`,
  )
}

/** A name as part of a field's path: bounded, and without what cannot be stored. */
function shortName(name: string): string {
  return /^[\w.:-]{1,64}$/.test(name) ? name : show(name)
}
