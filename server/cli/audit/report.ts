import {
  type AuditDifference,
  type AuditFindings,
  type AuditReport,
  differencesOf,
} from '../../contracts/audit'

const LOOKS = {
  fold: 'the engine over the journal',
  sums: 'plain sums of the counted events',
  chain: 'the chain of revisions',
} as const

/** A report for a terminal: what was looked at, every difference that is listed, and what could not be looked at. */
export function reportText(report: AuditReport): string {
  const total = differencesOf(report)
  const lines = [
    `Positions ${report.from + 1} to ${report.to}: ${report.records} records, ${report.events} events.`,
    ...report.findings.flatMap(findingLines),
    ...report.notAuditable.map(
      ({ table, rows }) =>
        `not auditable: ${rows} rows of ${table} from position ${report.from} or before; the journal is trimmed`,
    ),
    ...(report.skipped.length > 0
      ? [`passed over, as by the engine: positions ${report.skipped.join(', ')}`]
      : []),
    total === 0 ? '✓ No difference.' : `✗ ${total} ${total === 1 ? 'difference' : 'differences'}.`,
  ]
  return `${lines.join('\n')}\n`
}

function findingLines({ look, table, rows, differences, listed }: AuditFindings): string[] {
  const head = `${differences === 0 ? '✓' : '✗'} ${table} by ${LOOKS[look]}: ${rows} rows, ${differences} differ`
  const more = differences - listed.length
  return [head, ...listed.map(differenceLine), ...(more > 0 ? [`  … and ${more} more (--limit)`] : [])]
}

function differenceLine({ key, stored, expected }: AuditDifference): string {
  const name = Object.entries(key)
    .map(([column, value]) => `${column} ${textOf(value)}`)
    .join(', ')
  if (!stored) return `  ${name}: is missing; it should be ${textOf(expected)}`
  if (!expected) return `  ${name}: is stored as ${textOf(stored)}; there should be no such row`
  const columns = Object.keys(expected).map(
    (column) => `${column} is ${textOf(stored[column])}, should be ${textOf(expected[column])}`,
  )
  return `  ${name}: ${columns.join('; ')}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
