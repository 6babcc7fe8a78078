import type { Server as HttpServer } from 'node:http'
import { type Namespace, Server, type Socket } from 'socket.io'
import { totalView } from '../contracts/baseView'
import type { Committed, OnCommitted } from '../contracts/committed'
import {
  type ClientToServer,
  LIVE_NAMESPACE,
  type ServerToClient,
  type Snapshot,
  Subscribe,
} from '../contracts/liveMessage'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import { AppError, toAppError } from '../platform/errors'
import type { Logger } from '../platform/logger'
import type { ReadServices } from '../services/port'
import { rowFilter } from './filterRows'
import { sameOrigin } from './origin'
import { Room, roomName } from './room'

type LiveSocket = Socket<ClientToServer, ServerToClient>
type LiveNamespace = Namespace<ClientToServer, ServerToClient>

const HEALTH_EVERY = 1_000
/** Messages that wait for one socket at most; then it gets `resync` when it has caught up. */
const MOST_QUEUED = 64
/** Views that one socket may follow. */
const MOST_ROOMS = 8
const MOST_REVISIONS = 100
/** How far back a snapshot goes when the client does not say, ms. */
const DEFAULT_RANGE = 25 * 60 * 60_000

export interface LiveDeps {
  readonly http: HttpServer
  readonly services: ReadServices
  readonly spec: () => PipelineSpec
  readonly onCommitted: OnCommitted
  readonly logger: Logger
}

/**
 * The sockets (design.md §3, Live). A socket *subscribes*: it joins the room of its view and filter at once, then gets
 * a snapshot from the database; deltas that come between the two are older or newer than the snapshot, never lost,
 * and a client holds them until it has the snapshot. A socket that does not read is taken out of its rooms (*slow*)
 * and told to `resync` once its queue is empty: the server does not grow.
 */
export class LiveGateway {
  readonly #deps: LiveDeps
  readonly #io: Server<ClientToServer, ServerToClient>
  readonly #live: LiveNamespace
  readonly #rooms = new Map<string, Room>()
  readonly #backlogs = new Map<LiveSocket, Backlog>()
  readonly #stops: (() => void)[]
  #pos = 0
  /** Of the definition that rooms were made under. */
  #version = 0

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.#io = new Server(deps.http, {
      path: '/socket.io',
      serveClient: false,
      destroyUpgrade: false,
      maxHttpBufferSize: 64 * 1024,
      allowRequest: (req, done) => done(null, sameOrigin(req)),
    })
    this.#live = this.#io.of(LIVE_NAMESPACE)
    this.#live.on('connection', (socket) => this.#connect(socket))
    const timer = setInterval(() => this.#live.volatile.emit('health', deps.services.status()), HEALTH_EVERY)
    this.#stops = [deps.onCommitted((committed) => this.#committed(committed)), () => clearInterval(timer)]
  }

  /** Sockets connected now. */
  get connections(): number {
    return this.#live.sockets.size
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#io.close()
  }

  #connect(socket: LiveSocket): void {
    socket.emit('health', this.#deps.services.status())
    socket.on('subscribe', (message) => {
      this.#subscribe(socket, message).catch((error: unknown) => {
        const { code, message: reason } = toAppError(error)
        if (code === 'internal') this.#deps.logger.error({ err: error }, 'subscribe failed')
        socket.emit('resync', { view: viewOf(message), reason })
      })
    })
    const backlog: Backlog = { queued: 0, lost: new Set() }
    this.#backlogs.set(socket, backlog)
    socket.conn.on('packetCreate', () => {
      backlog.queued++
    })
    socket.conn.on('drain', () => {
      backlog.queued = 0
    })
    socket.on('disconnect', () => this.#backlogs.delete(socket))
  }

  async #subscribe(socket: LiveSocket, message: unknown): Promise<void> {
    const parsed = Subscribe.safeParse(message)
    if (!parsed.success) {
      socket.emit('resync', {
        view: viewOf(message),
        reason: parsed.error.issues[0]?.message ?? 'not understood',
      })
      return
    }
    const { view, filter, since } = parsed.data
    const from = parsed.data.from ?? this.#deps.services.status().now - DEFAULT_RANGE
    await this.#join(socket, view, filter)
    const range = { view, filter, from, to: Number.MAX_SAFE_INTEGER }
    // A client that goes on from `since` may hold a session that was merged into another since then.
    const page = await this.#deps.services.windows({ ...range, since, superseded: since !== undefined })
    const snapshot: Snapshot = {
      view,
      pos: page.pos,
      partial: since !== undefined,
      windows: page.windows,
      watermark: page.watermark,
    }
    socket.emit('snapshot', snapshot)
  }

  async #join(socket: LiveSocket, view: string, filter: Readonly<Record<string, string>>): Promise<void> {
    const name = roomName(view, filter)
    for (const other of socket.rooms) {
      if (other !== name && this.#rooms.get(other)?.view === view) await socket.leave(other)
    }
    if (socket.rooms.size > MOST_ROOMS) {
      throw new AppError('bad_request', `a socket follows at most ${MOST_ROOMS} views`)
    }
    if (!this.#rooms.has(name)) {
      this.#rooms.set(name, new Room(name, view, rowFilter(this.#deps.spec(), view, filter), this.#pos))
    }
    await socket.join(name)
  }

  /** Views may have got other versions, dimensions, or be gone: everybody asks anew. */
  #respecify(version: number): void {
    this.#version = version
    for (const [name, room] of this.#rooms) {
      this.#live
        .to(name)
        .emit('resync', { view: room.view, reason: 'the definition of the pipeline changed' })
      this.#live.in(name).socketsLeave(name)
    }
    this.#rooms.clear()
  }

  #committed(committed: Committed): void {
    this.#pos = committed.pos
    const { version } = this.#deps.spec()
    if (version !== this.#version) this.#respecify(version)
    this.#setSlowAside()
    for (const [name, room] of this.#rooms) {
      const members = this.#live.adapter.rooms.get(name)
      if (!members || members.size === 0) {
        this.#rooms.delete(name)
        continue
      }
      const delta = room.next(committed)
      if (delta) this.#live.to(name).emit('delta', delta)
    }
    const total = totalView(this.#deps.spec().views).id
    const revisions = committed.revisions
      .filter((r) => r.kind !== 'on-time' && r.kind !== 'inactivity' && r.view === total)
      .slice(-MOST_REVISIONS)
    if (revisions.length > 0) this.#live.emit('corrections', { pos: committed.pos, revisions })
  }

  /** Sockets whose queue is full leave their rooms; those that have caught up are told to subscribe again. */
  #setSlowAside(): void {
    for (const [socket, backlog] of this.#backlogs) {
      if (backlog.queued > MOST_QUEUED) {
        for (const name of socket.rooms) {
          const room = this.#rooms.get(name)
          if (!room) continue
          backlog.lost.add(room.view)
          void socket.leave(name)
        }
      } else if (backlog.queued === 0 && backlog.lost.size > 0) {
        const reason = 'the connection was too slow for live updates'
        for (const view of backlog.lost) socket.emit('resync', { view, reason })
        backlog.lost.clear()
      }
    }
  }
}

/** Packets made for a socket that its connection has not taken, and the views that it was taken out of for that. */
interface Backlog {
  queued: number
  readonly lost: Set<string>
}

function viewOf(message: unknown): string {
  const view = (message as { view?: unknown } | null)?.view
  return typeof view === 'string' ? view.slice(0, 64) : '*'
}
