import type { Column } from '@/app/ui/table'
import { type LateAction, whatCanBeDone } from './actions'
import { ActionButton } from './buttons'
import type { LateLine } from './prepare'

export interface RowDoing {
  readonly selected: ReadonlySet<string>
  readonly onSelect: (line: LateLine, selected: boolean) => void
  readonly onAct: (action: LateAction, line: LateLine) => void
  /** What is being done, and to which rows. */
  readonly doing: { readonly action: LateAction; readonly keys: ReadonlySet<string> } | null
}

const STILL: readonly Column<LateLine>[] = [
  {
    id: 'happened',
    label: 'Happened',
    align: 'right',
    order: ({ sort }) => sort.eventTime,
    cell: ({ eventTime }) => eventTime,
  },
  { id: 'missed', label: 'Window missed', align: 'right', cell: ({ missed }) => missed },
  {
    id: 'lateBy',
    label: 'Too late by',
    align: 'right',
    order: ({ sort }) => sort.lateBy,
    cell: ({ lateBy }) => lateBy,
  },
  { id: 'amount', label: 'Amount', align: 'right', cell: ({ amount }) => amount },
]

/** The columns of a list; `doing` says what can be done with its rows, null where nothing can. */
export function columnsOf(doing: RowDoing | null): readonly Column<LateLine>[] {
  return [orderColumn(doing), ...STILL, ...(doing ? [actionColumn(doing)] : [])]
}

function orderColumn(doing: RowDoing | null): Column<LateLine> {
  return {
    id: 'order',
    label: 'Order',
    order: ({ order }) => order,
    cell: (line) => (
      <span className="inline-flex items-start gap-2">
        {doing && whatCanBeDone(line.status).length > 0 ? (
          <input
            type="checkbox"
            aria-label={`Select order ${line.order}`}
            checked={doing.selected.has(line.key)}
            onChange={(event) => doing.onSelect(line, event.target.checked)}
            className="mt-1 accent-[var(--accent)]"
          />
        ) : null}
        <span>
          {line.order}
          <span className="block font-normal text-ink-2 text-sm">{asideOf(line)}</span>
        </span>
      </span>
    ),
  }
}

/** "pos-3 · refund · came 3 times". */
function asideOf({ source, type, seen, note }: LateLine): string {
  return [source, type === 'refund' ? 'refund' : null, seen, note].filter((part) => part !== null).join(' · ')
}

function actionColumn({ onAct, doing }: RowDoing): Column<LateLine> {
  return {
    id: 'actions',
    label: 'What to do',
    align: 'right',
    wide: true,
    cell: (line) => (
      <span className="inline-flex gap-1">
        {whatCanBeDone(line.status).map((action) => (
          <ActionButton
            key={action}
            action={action}
            to={`order ${line.order} of ${line.source}`}
            doing={doing?.action === action && doing.keys.has(line.key)}
            disabled={doing !== null}
            onClick={() => onAct(action, line)}
          />
        ))}
      </span>
    ),
  }
}
