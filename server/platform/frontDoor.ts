import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createHttpServer, type HttpOptions, listen } from './httpServer'

/** How long requests that are under way may take once the door is closing, ms. */
const CLOSE_LIMIT = 5_000
const LOOK_EVERY = 50

export interface FrontDoorOptions extends Pick<HttpOptions, 'host' | 'port' | 'onError'> {
  /** Answers from the first moment to the last: health. */
  readonly always: HttpOptions['handlers'][number]
}

type Rooms = Pick<HttpOptions, 'handlers' | 'otherwise'>

/**
 * The port, from the first moment: a probe that gets no answer while the server migrates would have it killed in the
 * middle (field case 52). It is *shut*: only `always` answers, all else is 503 with Retry-After. `open` gives it the
 * rooms behind: *open*. `close` lets requests that are under way end and answers new ones with 503: *closing*.
 */
export class FrontDoor {
  readonly http: Server
  #rooms: Rooms | null = null
  #closing = false

  private constructor(options: FrontDoorOptions) {
    const { host, port, onError, always } = options
    this.http = createHttpServer({
      host,
      port,
      onError,
      handlers: [always, (req, res) => this.#refuse(req, res), (req, res) => this.#pass(req, res)],
      otherwise: (req, res) => this.#rooms?.otherwise(req, res),
      early: () => this.#rooms === null,
    })
  }

  /** Listens. Throws StartupError when the port is taken or may not be used. */
  static async listen(options: FrontDoorOptions): Promise<FrontDoor> {
    const door = new FrontDoor(options)
    await listen(door.http, options.host, options.port)
    return door
  }

  /** From now on requests go to `handlers`, in their order, and then to `otherwise`. */
  open(handlers: Rooms['handlers'], otherwise: RequestListener): void {
    this.#rooms = { handlers, otherwise }
  }

  /** Resolves when nobody is inside any more, at the latest after 5 s. */
  async close(): Promise<void> {
    this.#closing = true
    const closed = new Promise<void>((resolve) => this.http.close(() => resolve()))
    // A producer that reuses its connection would keep it, and the server, for ever.
    const look = setInterval(() => this.http.closeIdleConnections(), LOOK_EVERY)
    const force = setTimeout(() => this.http.closeAllConnections(), CLOSE_LIMIT)
    await closed
    clearInterval(look)
    clearTimeout(force)
  }

  async #pass(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    for (const handler of this.#rooms?.handlers ?? []) if (await handler(req, res)) return true
    return false
  }

  #refuse(_: IncomingMessage, res: ServerResponse): boolean {
    if (this.#rooms && !this.#closing) return false
    const says = this.#closing
      ? 'Tidemark is stopping; send again shortly.'
      : 'Tidemark is starting; send again shortly.'
    res.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '2', Connection: 'close' })
    res.end(JSON.stringify({ error: { code: 'starting', message: says } }))
    return true
  }
}
