import pg from 'pg'

/** When the connection is cut: instead of sending the statement, or once it has been carried out and before its answer is heard. */
export type CutWhen = 'before' | 'answerLost'

type Query = (this: pg.Client, ...args: unknown[]) => unknown
type Connect = (this: pg.Client, ...args: unknown[]) => unknown

const CUT = 'connection cut by the test'

/**
 * A kill at a statement's boundary, as the database sees it: from the n-th statement of connections named
 * `application` on, each of them is cut, and none can be made. `restore` is the next process.
 */
export function cutAt(application: string, n: number, when: CutWhen) {
  const prototype = pg.Client.prototype as unknown as { query: Query; connect: Connect }
  const { query, connect } = prototype
  let sent = 0
  let dead = false
  const statements: string[] = []
  const isOurs = (client: pg.Client) =>
    (client as unknown as { connectionParameters: { application_name: string } }).connectionParameters
      .application_name === application
  let tell: () => void = () => {}
  const died = new Promise<void>((resolve) => {
    tell = resolve
  })
  const cut = (client: pg.Client): Error => {
    dead = true
    tell()
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    return new Error(CUT)
  }
  prototype.query = function (...args) {
    if (!isOurs(this)) return query.apply(this, args)
    if (dead) return failed(args, cut(this))
    sent++
    const [statement] = args as [string | { text: string }]
    statements.push(typeof statement === 'string' ? statement : statement.text)
    if (sent < n) return query.apply(this, args)
    if (when === 'before') return failed(args, cut(this))
    const done = callbackOf(args)
    if (!done) return Promise.resolve(query.apply(this, args)).then(() => Promise.reject(cut(this)))
    return query.apply(this, [...args.slice(0, -1), () => done(cut(this))])
  }
  prototype.connect = function (...args) {
    if (!isOurs(this) || !dead) return connect.apply(this, args)
    const [done] = args as [((error: Error) => void) | undefined]
    if (!done) return Promise.reject(new Error(CUT))
    done(new Error(CUT))
    return undefined
  }
  return {
    /** It came to the n-th statement. */
    get happened(): boolean {
      return dead
    },
    /** Resolves then. */
    died,
    statements,
    restore: () => {
      prototype.query = query
      prototype.connect = connect
    },
  }
}

type Callback = (error: Error) => void

function callbackOf(args: readonly unknown[]): Callback | null {
  const last = args.at(-1)
  return typeof last === 'function' ? (last as Callback) : null
}

/** As the driver fails: by the callback where there is one, else by the promise. */
function failed(args: readonly unknown[], error: Error): unknown {
  const done = callbackOf(args)
  if (!done) return Promise.reject(error)
  setImmediate(() => done(error))
  return undefined
}
