import type { PipelineSpec } from '../contracts/pipelineSpec'
import type { WindowRow } from '../contracts/windowRow'

/** Says which rows a subscription is about: those of its view whose dimensions (currency
 * is one) have the values asked for. */
export function rowFilter(
  spec: PipelineSpec,
  view: string,
  filter: Readonly<Record<string, string>>,
): (row: WindowRow) => boolean {
  const groupBy = spec.views.find((v) => v.id === view)?.groupBy ?? []
  const { currency, ...dimensions } = filter
  const wanted = Object.entries(dimensions).map(([name, value]) => [groupBy.indexOf(name), value] as const)
  return (row) =>
    row.view === view &&
    (currency === undefined || row.currency === currency) &&
    wanted.every(([at, value]) => at >= 0 && row.dims[at] === value)
}
