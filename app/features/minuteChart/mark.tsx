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
  readonly slotPx: number
}

const HALF_WORD_PX = 16
const DOTS_PX = 10

const LIFT_PX = 6

/** The word above a bar, "…" or "rev 3". Drawn after all bars, and above the neighbours that it would lie on. */
export function Mark({
  x = 0,
  y = 0,
  width = 0,
  height = 0,
  index = -1,
  minutes,
  fitting,
  slotPx,
}: MarkProps) {
  const minute = minutes[index]
  if (!minute?.row) return null
  const open = minute.finality === 'open'
  if (!open && !fitting.has(minute.start)) return null
  const top = Math.min(Number(y), Number(y) + Number(height))
  // Where bars are narrower than the dots: one for all open bars, above them, and not cut off by the plot's edge.
  const narrow = open && slotPx < DOTS_PX
  if (narrow && index < minutes.length - 1) return null
  const lift = open && !narrow ? 0 : overNeighbours(minutes, index, Math.abs(Number(height)), slotPx)
  return (
    <text
      x={narrow ? Number(x) + Number(width) : Number(x) + Number(width) / 2}
      y={top - lift - LIFT_PX}
      textAnchor={narrow ? 'end' : 'middle'}
      fontSize={open ? 12 : 10}
      fill={open ? 'var(--ink-2)' : 'var(--accent)'}
    >
      {open ? '…' : minute.mark}
    </text>
  )
}

/** How many px higher than its own bar the tallest neighbour is that the word reaches. */
function overNeighbours(minutes: readonly Minute[], index: number, px: number, slotPx: number): number {
  const own = minutes[index]?.height ?? 0
  if (own <= 0 || px === 0) return 0
  const reach = slotPx > 0 ? Math.ceil(HALF_WORD_PX / slotPx) : 1
  const near = minutes.slice(Math.max(0, index - reach), index + reach + 1)
  const tallest = Math.max(...near.map((minute) => minute.height ?? 0))
  return Math.max(0, (tallest - own) * (px / own))
}
