import type { Minute } from './prepare'

export const HATCH = 'tidemark-open'

/** What recharts hands to a bar's shape. */
interface BarShape {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly payload?: Minute
}

const NOTCH_MIN_PX = 3
/** A thin line of panel between the notch and the bar, so that it is a notch in grey too. */
const NOTCH_GAP_PX = 1.5

/** The fill of what is not final. */
export function HatchPattern({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line x1="0" y1="0" x2="0" y2="5" stroke="var(--bar)" strokeWidth="1.5" strokeOpacity="0.55" />
      </pattern>
    </defs>
  )
}

/** One minute in the grammar of finality (screens.md): solid, hatched, or solid with a notch of the delta. */
export function MinuteBar({ x = 0, y = 0, width = 0, height = 0, payload }: BarShape) {
  if (!payload?.row) return null
  const top = Math.min(y, y + height)
  const tall = Math.abs(height)
  if (payload.finality === 'open') return <OpenBar x={x} top={top} width={width} tall={tall} />
  const notch = payload.mark ? notchPx(payload, tall) : 0
  const below = payload.height !== null && payload.height < 0
  return (
    <g>
      <rect x={x} y={top} width={width} height={tall} fill="var(--bar)" />
      {notch > 0 ? (
        <Notch x={x} width={width} notch={notch} edge={below ? top + tall : top} below={below} />
      ) : null}
    </g>
  )
}

function OpenBar({ x, top, width, tall }: { x: number; top: number; width: number; tall: number }) {
  return (
    <g>
      <rect x={x} y={top} width={width} height={tall} fill={`url(#${HATCH})`} />
      <rect
        x={x + 0.5}
        y={top + 0.5}
        width={Math.max(0, width - 1)}
        height={Math.max(0, tall - 1)}
        fill="none"
        stroke="var(--bar)"
        strokeWidth={1}
      />
    </g>
  )
}

interface NotchProps {
  readonly x: number
  readonly width: number
  readonly notch: number
  /** The bar's far end: its top, or its bottom where it hangs below zero. */
  readonly edge: number
  readonly below: boolean
}

/** Wider than its bar by 2 px a side: a shape, not only a colour. */
function Notch({ x, width, notch, edge, below }: NotchProps) {
  const y = below ? edge - notch : edge
  const gap = below ? y - NOTCH_GAP_PX : y + notch
  const out = Math.min(2, width * 0.2)
  return (
    <g>
      <rect x={x} y={gap} width={width} height={NOTCH_GAP_PX} fill="var(--panel)" />
      <rect x={x - out} y={y} width={width + 2 * out} height={notch} fill="var(--notch)" />
    </g>
  )
}

/** The delta's share of the bar, never less than can be seen and never more than the bar. */
function notchPx(minute: Minute, tall: number): number {
  const whole = Math.abs(minute.height ?? 0)
  const share = whole === 0 ? 0 : Math.abs(minute.notch) / whole
  return Math.min(Math.max(NOTCH_MIN_PX, share * tall), Math.max(NOTCH_MIN_PX, tall))
}
