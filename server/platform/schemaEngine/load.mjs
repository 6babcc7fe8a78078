import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { adapterFor } from './adapter.mjs'

const require = createRequire(import.meta.url)
let loaded

/** Prisma's schema engine, compiled to WASM by Prisma; instantiated once a process (about 0.1 s). */
function engineClass() {
  loaded ??= instantiate()
  return loaded
}

async function instantiate() {
  const folder = dirname(require.resolve('@prisma/schema-engine-wasm'))
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue,
  })
  glue.__wbg_set_wasm(instance.exports)
  // Where the engine leaves its last words before it traps; without it the cause of a panic is lost.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (text) => process.stderr.write(`${text}\n`) }
  instance.exports.__wbindgen_start()
  return glue.SchemaEngine
}

/**
 * An engine for one database, and how to end its connections. `datamodels` are [file name, text] of the schema.
 * @param {{ url: string, shadowUrl?: string, datamodels?: [string, string][], log?: (line: string) => void }} options
 * @returns {Promise<{ engine: import('@prisma/schema-engine-wasm').SchemaEngine, close: () => Promise<void> }>}
 */
export async function openSchemaEngine({ url, shadowUrl, datamodels, log = () => {} }) {
  const SchemaEngine = await engineClass()
  const { adapter, close } = adapterFor(url, shadowUrl)
  return { engine: await SchemaEngine.new({ datamodels }, log, adapter), close }
}
