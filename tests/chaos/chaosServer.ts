import { readdirSync, readFileSync } from 'node:fs'
import { type LaunchedServer, launchServer, type TestServerOptions } from '../support/server'

/** One of the servers: what is killed, frozen and started again at the same port. */
export class ChaosServer {
  readonly url: string
  readonly #options: TestServerOptions & { readonly port: number }
  #launched: LaunchedServer | null = null
  #frozen = false

  constructor(options: TestServerOptions & { readonly port: number }) {
    this.#options = options
    this.url = `http://127.0.0.1:${options.port}`
  }

  /** Starts it where it is down; does not wait. */
  async start(): Promise<void> {
    const child = this.#launched?.child
    if (child && child.exitCode === null && child.signalCode === null) return
    this.#launched = await launchServer(this.#options)
  }

  get up(): boolean {
    const child = this.#launched?.child
    return child !== undefined && child.exitCode === null && child.signalCode === null && !this.#frozen
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.thaw()
    await this.#launched?.end(signal)
  }

  freeze(): void {
    this.#launched?.child.kill('SIGSTOP')
    this.#frozen = true
  }

  thaw(): void {
    if (this.#frozen) this.#launched?.child.kill('SIGCONT')
    this.#frozen = false
  }

  get log(): string {
    return this.#launched?.log() ?? ''
  }

  /** Whether it takes orders. */
  async leads(): Promise<boolean> {
    return fetch(`${this.url}/api/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      (r) => r.ok,
      () => false,
    )
  }

  /** Resident bytes and open descriptors; null where the system does not say. */
  size(): { rss: number; descriptors: number } | null {
    const pid = this.#launched?.child.pid
    try {
      const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
      return { rss: Number(rss?.[1]) * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
    } catch {
      return null
    }
  }
}
