import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { WindowRow } from '../contracts/windowRow'

/** Says which rows a subscription is about: those of its view whose dimensions have the values asked for. */
export function rowFilter(
  spec: PipelineSpec,
  view: string,
  filter: Readonly<Record<string, string>>,
): (row: WindowRow) => boolean {
  const groupBy = spec.views.find((v) => v.id === view)?.groupBy ?? []
  const wanted = Object.entries(filter).map(([name, value]) => [groupBy.indexOf(name), value] as const)
  return (row) => row.view === view && wanted.every(([at, value]) => at >= 0 && row.dims[at] === value)
}
