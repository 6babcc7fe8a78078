/** A fact that a vector expects, or that the engine showed. `atStep` is its step, where it has one. */
export type Fact = Readonly<Record<string, unknown>>

/** Facts of one sort, to be compared as sets step by step. */
export interface Comparison {
  readonly sort: string
  readonly expected: readonly Fact[]
  readonly actual: readonly Fact[]
}

/**
 * What differs, in words; none: the two sets are equal. An expected fact stands for those of the engine that have
 * what it states, field by field (a field that it leaves out is not compared); each side must be stood for.
 */
export function differences({ sort, expected, actual }: Comparison): string[] {
  const missing = expected.filter((fact) => !actual.some((other) => states(fact, other)))
  const unexpected = actual.filter((fact) => !expected.some((other) => states(other, fact)))
  const steps = [...new Set([...missing, ...unexpected].map((fact) => Number(fact.atStep ?? -1)))].sort(
    (a, b) => a - b,
  )
  return steps.map((step) => {
    const at = (facts: readonly Fact[]) => facts.filter((fact) => Number(fact.atStep ?? -1) === step)
    const where = step < 0 ? sort : `${sort} at step ${step}`
    return `${where}: expected ${show(at(missing))}, engine ${show(at(unexpected))}`
  })
}

/** Whether a fact of the engine has everything that an expected one states. */
export function states(expected: Fact, actual: Fact): boolean {
  return Object.entries(expected).every(([field, value]) => canonical(value) === canonical(actual[field]))
}

/** 5, "5" and 5.0 are one number; keys of objects have no order. */
export function canonical(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined)
    return `{${entries
      .map(([k, v]) => `${k}:${canonical(v)}`)
      .sort()
      .join(',')}}`
  }
  return value === undefined ? 'nothing' : String(value)
}

function show(facts: readonly Fact[]): string {
  if (facts.length === 0) return 'nothing'
  return facts.map(({ atStep: _, ...rest }) => JSON.stringify(rest)).join(' ')
}
