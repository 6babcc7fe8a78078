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
  { id: 'source', label: 'Source', order: ({ source }) => source, cell: ({ source }) => source },
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
  { id: 'seen', label: 'Came', align: 'right', order: ({ sort }) => sort.seen, cell: ({ seen }) => seen },
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
      <>
        {doing && whatCanBeDone(line.status).length > 0 ? (
          <input
            type="checkbox"
            aria-label={`Select order ${line.order}`}
            checked={doing.selected.has(line.key)}
            onChange={(event) => doing.onSelect(line, event.target.checked)}
            className="mr-2 align-middle accent-[var(--accent)]"
          />
        ) : null}
        {line.order}
        {line.type === 'refund' ? <Aside text="refund" /> : null}
        {line.note ? <Aside text={line.note} /> : null}
      </>
    ),
  }
}

function Aside({ text }: { readonly text: string }) {
  return <span className="ml-2 font-normal text-ink-2 text-sm">{text}</span>
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
