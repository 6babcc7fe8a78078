'use client'

import { ACTIONS, type LateAction } from './actions'

interface ActionButtonProps {
  readonly action: LateAction
  /** What it is done to, for those who do not see the row: "order 1001". */
  readonly to: string
  readonly doing: boolean
  readonly disabled: boolean
  readonly onClick: () => void
}

export function ActionButton({ action, to, doing, disabled, onClick }: ActionButtonProps) {
  const { label, doing: busy, help } = ACTIONS[action]
  return (
    <button
      type="button"
      title={help}
      aria-label={`${label}: ${to}`}
      disabled={disabled}
      onClick={onClick}
      className="whitespace-nowrap rounded-md border border-line px-2 text-ink-2 text-sm leading-5 hover:border-line-strong hover:text-ink disabled:text-ink-3"
    >
      {doing ? busy : label}
    </button>
  )
}

interface SelectionBarProps {
  readonly count: number
  readonly actions: readonly LateAction[]
  readonly doing: LateAction | null
  readonly onAct: (action: LateAction) => void
  readonly onClear: () => void
}

/** What is done to all that are selected. */
export function SelectionBar({ count, actions, doing, onAct, onClear }: SelectionBarProps) {
  const to = `${count} selected ${count === 1 ? 'order' : 'orders'}`
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-2">
      <span className="text-ink-2">{to}</span>
      {actions.map((action) => (
        <ActionButton
          key={action}
          action={action}
          to={to}
          doing={doing === action}
          disabled={doing !== null}
          onClick={() => onAct(action)}
        />
      ))}
      <button type="button" onClick={onClear} className="px-1 text-ink-2 text-sm hover:text-ink">
        Select none
      </button>
    </div>
  )
}
