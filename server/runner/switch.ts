import type { Command, Order } from '../contracts/command'
import type { Committed } from '../contracts/committed'
import type { CommandDone } from '../contracts/flush'
import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { PipelineStatus } from '../contracts/status'
import type { RunnerPort } from './port'
import type { NoRoom } from './room'

/** A runner or what stands in for one. */
export interface SwitchedPort extends RunnerPort {
  roomFor(source: string): NoRoom | null
}

/** The runner as everybody else holds it, while behind it leading and following take turns. */
export class RunnerSwitch implements SwitchedPort {
  readonly #listeners = new Set<(committed: Committed) => void>()
  #current: SwitchedPort
  #unsubscribe: () => void

  constructor(first: SwitchedPort) {
    this.#current = first
    this.#unsubscribe = this.#listenTo(first)
  }

  turnTo(next: SwitchedPort): void {
    this.#unsubscribe()
    this.#current = next
    this.#unsubscribe = this.#listenTo(next)
  }

  status(): PipelineStatus {
    return this.#current.status()
  }

  spec(): PipelineSpec {
    return this.#current.spec()
  }

  roomFor(source: string): NoRoom | null {
    return this.#current.roomFor(source)
  }

  command(command: Command, order: Order): Promise<CommandDone> {
    return this.#current.command(command, order)
  }

  onCommitted(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #listenTo(port: SwitchedPort): () => void {
    return port.onCommitted((committed) => {
      for (const listener of this.#listeners) listener(committed)
    })
  }
}
