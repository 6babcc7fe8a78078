import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { isLoopback, namesThisMachine } from './loopback'
import { StartupError } from './startupError'

export interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Tried in this order; the first that says true has answered. */
  readonly handlers: readonly ((req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>)[]
  /** Everything else: the pages. */
  readonly otherwise: RequestListener
  readonly onError: (error: unknown) => void
  /** True while no sockets are attached: what asks for them is then answered like everything else. */
  readonly early?: () => boolean
}

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
} as const

/** One server for the API, the sockets and the pages. Bounded in time for headers and bodies. */
export function createHttpServer({ host, handlers, otherwise, onError, early }: HttpOptions): Server {
  const local = isLoopback(host)
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 10_000 })
  server.on('request', (req, res) => {
    // engine.io answers its own path; a second answer would break it.
    if (req.url?.startsWith('/socket.io/') && !early?.()) return
    if (local && !namesThisMachine(req.headers.host)) {
      res
        .writeHead(421, { 'Content-Type': 'text/plain' })
        .end('This Tidemark answers on this machine only.\n')
      return
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value)
    answer(req, res, handlers, otherwise).catch((error: unknown) => {
      onError(error)
      if (!res.headersSent) res.writeHead(500, { 'Content-Type': 'text/plain' })
      res.end('Tidemark could not answer this. The server log says why.\n')
    })
  })
  return server
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  handlers: HttpOptions['handlers'],
  otherwise: RequestListener,
): Promise<void> {
  for (const handler of handlers) if (await handler(req, res)) return
  await otherwise(req, res)
}

/** Starts to listen. Throws StartupError when the port is taken or may not be used. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`
      reject(
        new StartupError(`port ${port} on ${host} ${why}`, 'Stop what uses it, or set PORT to another one.'),
      )
    })
    server.listen(port, host, () => resolve())
  })
}
