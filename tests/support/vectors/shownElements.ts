import type { Comparison, Fact } from './compare'
import { canonical } from './compare'
import { readInstant } from './instants'
import { NotOurs } from './notOurs'
import { type Element, textOf } from './steps'

type Field = 'key' | 'ts' | 'value'

/**
 * Facts that are lists of elements, such as `{kept: […], atStep}`. A vector names its elements by event time, by value
 * or by several fields; the engine's are shown the same way. Steps with none need not be named.
 */
export function showElements(
  sort: 'kept' | 'released',
  told: readonly Fact[],
  byStep: readonly (readonly Element[])[],
  all: readonly Element[],
): Comparison {
  const lists = told.map((fact) => ({ items: itemsOf(fact[sort]), atStep: fact.atStep }))
  const fields = fieldsOf(
    lists.flatMap(({ items }) => items),
    all,
  )
  const expected = lists.flatMap(({ items, atStep }) => items.map((item) => shown(item, fields, atStep)))
  const actual = byStep.flatMap((elements, atStep) =>
    elements.map((element) =>
      shown(fields.length === 1 ? element[fields[0] ?? 'ts'] : element, fields, atStep),
    ),
  )
  return { sort, expected: counted(expected), actual: counted(actual) }
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [list]
}

function fieldsOf(items: readonly unknown[], all: readonly Element[]): readonly Field[] {
  const objects = items.filter((item) => typeof item === 'object' && item !== null)
  if (objects.length > 0) {
    const inner = objects.map((item) =>
      Object.keys((item as { element?: object }).element ?? (item as object)),
    )
    return (['key', 'ts', 'value'] as const).filter((field) => inner.every((names) => names.includes(field)))
  }
  for (const field of ['ts', 'value', 'key'] as const) {
    const known = new Set(all.map((element) => canonical(element[field])))
    if (items.every((item) => known.has(canonical(item)))) return [field]
  }
  throw new NotOurs(
    `elements that are told neither by time nor by value nor by key: ${JSON.stringify(items)}`,
  )
}

function shown(item: unknown, fields: readonly Field[], atStep: unknown): Fact {
  if (typeof item !== 'object' || item === null) return { [fields[0] ?? 'ts']: item, atStep }
  const element = ((item as { element?: object }).element ?? item) as Record<Field, unknown>
  const read = (field: Field) =>
    field === 'ts' ? readInstant(element.ts, 'ts') : field === 'key' ? textOf(element.key) : element.value
  return { ...Object.fromEntries(fields.map((field) => [field, read(field)])), atStep }
}

/** Elements that look the same are told apart by how many there are. */
function counted(facts: readonly Fact[]): readonly Fact[] {
  const times = new Map<string, number>()
  for (const fact of facts) times.set(canonical(fact), (times.get(canonical(fact)) ?? 0) + 1)
  return facts.map((fact) => ({ ...fact, times: times.get(canonical(fact)) }))
}
