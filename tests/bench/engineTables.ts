import type { MemoryFigures } from './engineMemory'
import type { SpeedFigures } from './engineSpeed'

interface SpeedLine {
  readonly name: string
  readonly figures: SpeedFigures
}

interface MemoryLine {
  readonly name: string
  /** Events a record. */
  readonly size: number
  readonly figures: MemoryFigures
}

const right = (text: string, width: number) => text.padStart(width)
const row = (name: string, cells: readonly string[]) =>
  `  ${name.padEnd(34)}${cells.map((cell, i) => right(cell, WIDTHS[i] ?? 12)).join('')}`
const WIDTHS = [12, 15, 12, 12, 10, 16]

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Million a second of so many ns. */
const rate = (ns: number) => (1_000 / ns).toFixed(2)
const met = (good: boolean, target: string) => `${good ? '✓' : '✗'} ${target}`

/** The last line is what the others are compared with. */
export function speedTable(title: string, target: number, lines: readonly SpeedLine[]): string {
  const reference = median(lines.at(-1)?.figures.cpu ?? [])
  const out = lines.map(({ name, figures }, i) => {
    const ns = median(figures.cpu)
    const spread = `${rate(Math.max(...figures.cpu))} – ${rate(Math.min(...figures.cpu))}`
    const cells = [
      rate(ns),
      spread,
      rate(median(figures.wall)),
      ns.toFixed(0),
      `${(reference / ns).toFixed(1)} ×`,
      `${figures.longestStep.toFixed(1)} ms`,
    ]
    const mark = i < lines.length - 1 ? `   ${met(1_000 / ns >= target, `≥ ${target} M/s`)}` : ''
    return row(name, cells) + mark
  })
  const counts = Object.entries(lines.at(-1)?.figures.counts ?? {}).map(([name, n]) => `${name} ${n}`)
  const perWindow = Object.values(lines.at(-1)?.figures.totals ?? {})
  const revisions = perWindow.reduce((sum, window) => sum + Number(window.split(' ')[0]), 0)
  const head = row('', ['M/s of CPU', 'spread', 'M/s of wall', 'ns an event', 'factor', 'longest step'])
  return `\n${title}\n${head}\n${out.join('\n')}\n  same for all: ${counts.join(', ')}, revisions ${revisions}`
}

export function memoryTable(
  targets: { bytesAnId: number; pauseMs: number },
  lines: readonly MemoryLine[],
): string {
  const head = row('', ['bytes an id', 'ids + distinct', 'pause', 'full pause', 'GC share', 'longest step'])
  const out = lines.map(({ name, size, figures }) => {
    const { liveIds, bytes, idBytes, distinctBytes, pauses } = figures
    const anId = bytes / liveIds
    const longest = Math.max(...pauses.map((p) => p.longest))
    const cells = [
      anId.toFixed(0),
      idBytes === null
        ? '–'
        : `${(idBytes / liveIds).toFixed(0)} + ${((distinctBytes ?? 0) / liveIds).toFixed(0)}`,
      `${longest.toFixed(1)} ms`,
      `${Math.max(...pauses.map((p) => p.major)).toFixed(1)} ms`,
      `${(100 * median(pauses.map((p) => p.share))).toFixed(1)} %`,
      `${figures.longestStep.toFixed(1)} (${figures.longestStepSeen.toFixed(1)}) ms`,
    ]
    const marks = [
      met((idBytes ?? 0) / liveIds <= targets.bytesAnId, `id table ≤ ${targets.bytesAnId} bytes`),
      met(anId <= targets.bytesAnId, `all ≤ ${targets.bytesAnId} bytes`),
      met(longest <= targets.pauseMs, `pause ≤ ${targets.pauseMs} ms`),
    ]
    return `${row(`${name}, records of ${size}`, cells)}   ${name === 'engine' ? marks.join('  ') : ''}`
  })
  const ids = ((lines[0]?.figures.liveIds ?? 0) / 1e6).toFixed(2)
  const most = Math.max(...lines.map(({ figures }) => figures.mostIdBytes ?? 0)).toFixed(0)
  const title = `1 view, 1 m, 40 keys, ${ids} M live ids (id table: ${most} bytes an id at most on the way)`
  return `\n${title}\n${head}\n${out.join('\n')}\n`
}
