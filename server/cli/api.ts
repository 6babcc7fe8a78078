import { setTimeout as sleep } from 'node:timers/promises'
import { Receipt } from '../contracts/receipt'
import { CommandProblem } from './problem'

/** Where to send, and as whom. */
export interface ApiTarget {
  readonly url: string
  readonly key: string
}

/** How long a server that is away, or asks to wait, is waited for, ms. */
const PATIENCE = 5 * 60_000

/**
 * Sends events of one source and returns the receipt, which exists only once they are durable. Waits and sends again
 * while the server is away or says so (429, 503): ids make that harmless. Throws CommandProblem on any other answer.
 */
export async function sendEvents(
  target: ApiTarget,
  source: string,
  events: readonly unknown[],
): Promise<Receipt> {
  const until = performance.now() + PATIENCE
  for (let attempt = 0; ; attempt++) {
    const answer = await post(target, source, events)
    if (answer instanceof Response && answer.ok) return Receipt.parse(await answer.json())
    const again = answer instanceof Response ? waitOf(answer) : Math.min(250 * 2 ** attempt, 5_000)
    if (again === null || performance.now() > until) throw new CommandProblem(await describe(target, answer))
    if (answer instanceof Response) await answer.arrayBuffer()
    await sleep(again)
  }
}

async function post(
  { url, key }: ApiTarget,
  source: string,
  events: readonly unknown[],
): Promise<Response | Error> {
  try {
    return await fetch(new URL(`/api/ingest/${encodeURIComponent(source)}`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(events),
      signal: AbortSignal.timeout(60_000),
    })
  } catch (error) {
    return error as Error
  }
}

/** ms to wait before sending again; null when that cannot help. */
function waitOf(response: Response): number | null {
  if (response.status !== 429 && response.status < 500) return null
  const seconds = Number(response.headers.get('retry-after') ?? '1')
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0.1), 30) * 1000 : 1000
}

async function describe({ url }: ApiTarget, answer: Response | Error): Promise<string> {
  if (answer instanceof Error) {
    return `No Tidemark answers at ${url}. Start one with "npm start", or give its address with --url.`
  }
  const body = (await answer.json().catch(() => null)) as { error?: { message?: string } } | null
  return `${url} answered ${answer.status}: ${body?.error?.message ?? 'no reason given'}`
}
