import { Presets, SingleBar } from 'cli-progress'

/** How far a command is: a bar on a terminal, a plain line every few seconds elsewhere. All on stderr. */
export interface Progress {
  update(done: number, total: number, note?: string): void
  stop(): void
}

const LINE_EVERY = 5_000

export function startProgress(what: string): Progress {
  return process.stderr.isTTY ? bar(what) : lines(what)
}

function bar(what: string): Progress {
  const single = new SingleBar(
    { format: `${what} {bar} {percentage} % {note}`, stream: process.stderr, hideCursor: true, fps: 10 },
    Presets.shades_classic,
  )
  single.start(1, 0, { note: '' })
  return {
    update: (done, total, note = '') => {
      single.setTotal(Math.max(total, 1))
      single.update(done, { note })
    },
    stop: () => single.stop(),
  }
}

function lines(what: string): Progress {
  let last = performance.now()
  return {
    update: (done, total, note = '') => {
      const now = performance.now()
      if (now - last < LINE_EVERY) return
      last = now
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
      process.stderr.write(`${what}: ${percent} % ${note}\n`)
    },
    stop: () => {},
  }
}
