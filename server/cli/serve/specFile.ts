import { readFileSync } from 'node:fs'
import { defaultViews } from '../../contracts/defaultViews'
import { PipelineSpec } from '../../contracts/pipelineSpec'
import { StartupError } from '../../platform/startupError'

/** The pipeline of a file, or the default one. Throws StartupError with the path of each field that is wrong. */
export function readSpec(file: string | undefined): { spec: PipelineSpec; explicit: boolean } {
  if (file === undefined) return { spec: PipelineSpec.parse({ views: defaultViews('UTC') }), explicit: false }
  const parsed = PipelineSpec.safeParse(withViews(readJson(file)))
  if (parsed.success) return { spec: parsed.data, explicit: true }
  const faults = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the definition'}: ${issue.message}`,
  )
  throw new StartupError(`the pipeline definition ${file} is not right`, faults.join('\n'))
}

/** A definition that names no views has the default ones, in its own zone. */
function withViews(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || 'views' in json) return json
  const { zone } = json as { zone?: unknown }
  return { ...json, views: defaultViews(typeof zone === 'string' ? zone : 'UTC') }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartupError(`the pipeline definition ${file} cannot be read`, (error as Error).message)
  }
}
