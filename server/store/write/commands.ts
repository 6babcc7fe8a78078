import type { CommandDone, SpecInForce } from '../../contracts/flush'
import { type Transaction, writeRows } from './rows'

const INSERT_COMMANDS = `
  INSERT INTO command_log (position, at, kind, command, by, reason, refused, changes, watermark_before, watermark_after)
  SELECT position, at, kind, command, by, reason, refused, changes, "watermarkBefore", "watermarkAfter"
  FROM json_to_recordset($1::json) AS r(position bigint, at bigint, kind text, command jsonb, by text, reason text,
    refused text, changes text[], "watermarkBefore" bigint, "watermarkAfter" bigint)`

const INSERT_SPECS = `
  INSERT INTO spec_version (version, spec, position, at)
  SELECT (spec ->> 'version')::int, spec, position, at
  FROM json_to_recordset($1::json) AS r(spec jsonb, position bigint, at bigint)`

export function insertCommands(tx: Transaction, commands: readonly CommandDone[]): Promise<void> {
  const rows = commands.map(({ order, outcome, ...rest }) => ({ ...rest, ...order, ...outcome }))
  return writeRows(tx, INSERT_COMMANDS, rows)
}

export function insertSpecs(tx: Transaction, specs: readonly SpecInForce[]): Promise<void> {
  return writeRows(tx, INSERT_SPECS, specs)
}
