'use client'

import { type KeyboardEvent, type ReactNode, useState } from 'react'

export interface Column<Row> {
  readonly id: string
  /** Plain text: the label of the cell on a phone, and the name of the sort button. */
  readonly label: string
  /** What stands in the header where that is more than the label. */
  readonly header?: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** What it is sorted by; without it the column does not sort. */
  readonly order?: (row: Row) => number | string
  readonly align?: 'right'
  /** On a phone the cell takes the whole width. */
  readonly wide?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly rowClass?: (row: Row) => string
  readonly maxHeight?: string
}

interface Sorting {
  readonly id: string
  readonly down: boolean
}

/** Sticky header, sortable, numbers to the right, arrow keys walk the rows. The first column names the row. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowClass,
  maxHeight = 'none',
}: TableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const sorted = sortRows(rows, columns, sorting)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={caption} tabIndex={0} className="overflow-auto" style={{ maxHeight }}>
      <table className="stack w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-panel">
          <tr>
            {columns.map((column) => (
              <Header key={column.id} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={walk}>
          {sorted.map((row, i) => (
            <tr
              key={rowKey(row)}
              tabIndex={i === 0 ? 0 : -1}
              className={`border-line border-t hover:bg-canvas ${rowClass?.(row) ?? ''}`}
            >
              {columns.map((column, c) => (
                <BodyCell key={column.id} column={column} row={row} first={c === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface HeaderProps<Row> {
  readonly column: Column<Row>
  readonly sorting: Sorting | null
  readonly onSort: (next: Sorting) => void
}

function Header<Row>({ column, sorting, onSort }: HeaderProps<Row>) {
  const here = sorting?.id === column.id ? sorting : null
  const side = column.align === 'right' ? 'text-right' : ''
  return (
    <th
      scope="col"
      aria-sort={here ? (here.down ? 'descending' : 'ascending') : undefined}
      className={`whitespace-nowrap relative px-3 py-2 font-normal text-ink-3 text-sm first:pl-4 last:pr-4 shadow-[inset_0_-1px_0_var(--line)] ${side}`}
    >
      {column.header ?? column.label}
      {column.order ? (
        <button
          type="button"
          aria-label={`Sort by ${column.label}`}
          onClick={() => onSort({ id: column.id, down: here ? !here.down : true })}
          className={`absolute ml-0.5 hover:text-ink ${here ? 'text-ink' : 'text-line-strong'}`}
        >
          {here && !here.down ? '↑' : '↓'}
        </button>
      ) : null}
    </th>
  )
}

function BodyCell<Row>({
  column,
  row,
  first,
}: {
  readonly column: Column<Row>
  readonly row: Row
  readonly first: boolean
}) {
  const side = column.align === 'right' ? 'text-right' : ''
  if (first) {
    return (
      <th scope="row" className="whitespace-nowrap px-3 py-2 text-left align-top font-medium first:pl-4">
        {column.cell(row)}
      </th>
    )
  }
  return (
    <td
      data-label={column.label}
      data-wide={column.wide || undefined}
      className={`px-3 py-2 align-top last:pr-4 ${column.wide ? '' : 'whitespace-nowrap'} ${side}`}
    >
      {column.cell(row)}
    </td>
  )
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const order = columns.find((column) => column.id === sorting?.id)?.order
  if (!order || !sorting) return rows
  const sign = sorting.down ? -1 : 1
  return [...rows].sort((a, b) => sign * compare(order(a), order(b)))
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'string' || typeof b === 'string') return String(a).localeCompare(String(b))
  return a === b ? 0 : a - b
}

/** ↑ and ↓ move from row to row. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling'
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const next = (event.target as HTMLElement).closest('tr')?.[step]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}
