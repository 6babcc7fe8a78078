import type { Minute } from './prepare'

/** What recharts hands to a label. */
interface MarkProps {
  readonly x?: number | string
  readonly y?: number | string
  readonly width?: number | string
  readonly height?: number | string
  readonly index?: number
  readonly minutes: readonly Minute[]
  /** Starts of the minutes whose mark has room. */
  readonly fitting: ReadonlySet<number>
}

const LIFT_PX = 6

/** The word above a bar, "…" or "rev 3". Drawn after all bars, and above the neighbours that it would lie on. */
export function Mark({ x = 0, y = 0, width = 0, height = 0, index = -1, minutes, fitting }: MarkProps) {
  const minute = minutes[index]
  if (!minute?.row) return null
  const open = minute.finality === 'open'
  if (!open && !fitting.has(minute.start)) return null
  const top = Math.min(Number(y), Number(y) + Number(height))
  const lift = open ? 0 : overNeighbours(minutes, index, Math.abs(Number(height)))
  return (
    <text
      x={Number(x) + Number(width) / 2}
      y={top - lift - LIFT_PX}
      textAnchor="middle"
      fontSize={open ? 12 : 10}
      fill={open ? 'var(--ink-2)' : 'var(--accent)'}
    >
      {open ? '…' : minute.mark}
    </text>
  )
}

/** How many px higher than its own bar the taller neighbour is. */
function overNeighbours(minutes: readonly Minute[], index: number, px: number): number {
  const own = minutes[index]?.height ?? 0
  if (own <= 0 || px === 0) return 0
  const tallest = Math.max(minutes[index - 1]?.height ?? 0, minutes[index + 1]?.height ?? 0)
  return Math.max(0, (tallest - own) * (px / own))
}
