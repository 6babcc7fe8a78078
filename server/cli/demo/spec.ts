import { defaultViews } from '../../contracts/defaultViews'
import { PipelineSpec } from '../../contracts/pipelineSpec'

/** The demo shop: five sources of different habits, one business zone, one currency. */
export const DEMO_ZONE = 'Asia/Shanghai'
export const DEMO_SOURCES = ['web', 'app', 'pos-1', 'pos-3', 'partner'] as const
export type DemoSource = (typeof DEMO_SOURCES)[number]

/** Default rules, but a shorter idle timeout: the silent source is to be seen within a minute. */
export function demoSpec(): PipelineSpec {
  return PipelineSpec.parse({
    zone: DEMO_ZONE,
    idleTimeout: '20s',
    sources: DEMO_SOURCES.map((name) => ({
      name,
      ...(name === 'partner' ? { strategy: { kind: 'bounded', bound: '10s' } } : {}),
    })),
    views: defaultViews(DEMO_ZONE),
  })
}
