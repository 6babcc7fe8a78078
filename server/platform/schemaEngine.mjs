#!/usr/bin/env node
/**
 * Stands in for Prisma's native schema engine, which cannot be downloaded everywhere: the same JSON-RPC over stdio,
 * answered by Prisma's own WASM build over the pg adapter. prisma.config.ts names it to the stock CLI.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createDatabase, dropDatabase, withClient } from './schemaEngine/databaseUrl.mjs'
import { openSchemaEngine } from './schemaEngine/load.mjs'

/** What the CLI calls differently from the WASM build. */
const METHODS = { getDatabaseVersion: 'version' }
/** Postgres's and the socket's error codes → the codes that the CLI explains. */
const CODES = { '3D000': 'P1003', ECONNREFUSED: 'P1001', '28P01': 'P1000' }
const COMMANDS = {
  'can-connect-to-database': (url) => withClient(url, () => undefined),
  'create-database': createDatabase,
  'drop-database': dropDatabase,
}

const valuesOf = (flag) => process.argv.filter((_, i, args) => i > 2 && args[i - 1] === flag)
const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

function log(level, fields) {
  const line = { timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}

function printVersion() {
  const main = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')
  const { version } = JSON.parse(readFileSync(join(dirname(main), 'package.json'), 'utf8'))
  console.log(`schema-engine-cli ${version}`)
}

/** `schema-engine … cli <command>`: one command, told by its exit code. */
async function runCommand(name, url) {
  try {
    const command = COMMANDS[name]
    if (!command) throw new Error(`unknown command ${name}`)
    await command(url)
    return 0
  } catch (error) {
    const error_code = CODES[error.code] ?? 'P1010'
    log('ERROR', { message: error.message || String(error), error_code, is_panic: false })
    return 1
  }
}

/** Answers requests, one JSON line each, until stdin ends. */
async function serve(datasource) {
  const datamodels = valuesOf('--datamodels').map((file) => [file, readFileSync(resolve(file), 'utf8')])
  let engine
  const open = () => {
    engine ??= openSchemaEngine({
      url: datasource.url,
      shadowUrl: datasource.shadowDatabaseUrl,
      datamodels: datamodels.length > 0 ? datamodels : undefined,
      log: (message) => log('INFO', { message }),
    })
    return engine
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) print(await answer(JSON.parse(line), open, datasource.url))
  }
}

async function answer({ id, method, params }, open, url) {
  try {
    return { jsonrpc: '2.0', id, result: (await call(method, params, open, url)) ?? null }
  } catch (error) {
    const data = {
      is_panic: false,
      message: error?.message ?? String(error),
      error_code: error?.code ?? null,
    }
    const message = 'An error happened. Check the data field for details.'
    return { jsonrpc: '2.0', id, error: { code: 4466, message, data } }
  }
}

async function call(method, params, open, url) {
  if (method === 'createDatabase') return { databaseName: await createDatabase(url) }
  const { engine } = await open()
  const result = await engine[METHODS[method] ?? method](params)
  // The native engine prints a diff through the CLI before it answers.
  if (method === 'diff' && result?.stdout != null) {
    print({ jsonrpc: '2.0', method: 'print', params: { content: result.stdout }, id: 0 })
  }
  return result
}

async function main() {
  if (process.argv.includes('--version')) {
    printVersion()
    return 0
  }
  log('INFO', { message: 'Starting schema engine' }) // the CLI skips the first line of stderr
  const datasource = JSON.parse(valuesOf('--datasource')[0] ?? '{}')
  const cli = process.argv.indexOf('cli')
  if (cli > 0) return runCommand(process.argv[cli + 1], datasource.url)
  await serve(datasource)
  return 0
}

process.exit(await main())
