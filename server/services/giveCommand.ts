import { type Command, OWN_COMMANDS } from '../contracts/command'
import type { CommandDone } from '../contracts/flush'
import { AppError } from '../platform/errors'
import type { RunnerPort } from '../runner/port'
import type { Store } from '../store/client'
import { operatorOnly } from './operatorOnly'

export interface GiveCommandDeps {
  readonly store: Store
  readonly runner: Pick<RunnerPort, 'command'>
}

export interface GiveCommandInput {
  /** The API key that the request came with, which was right. */
  readonly key: { readonly id: string; readonly name: string }
  readonly command: Command
  /** Why, for the audit. */
  readonly reason: string
}

/**
 * Gives a command to the engine and resolves with what came of it; a refused one says why in its outcome. The audit
 * row is written by the flush that holds the command's record, so it stands also for what was refused.
 * Throws AppError `forbidden` for a key without the right; rejects as the journal does.
 */
export async function giveCommand(
  { store, runner }: GiveCommandDeps,
  { key, command, reason }: GiveCommandInput,
): Promise<CommandDone> {
  await operatorOnly(store, key)
  if (OWN_COMMANDS.includes(command.kind))
    throw new AppError('forbidden', `${command.kind} is given by Tidemark itself`)
  return runner.command(command, { by: key.name, reason })
}
