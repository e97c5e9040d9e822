/** What traces. Names are looked up in `worker-options.ts`. */
import { CLUSTERS, group, option } from '../declare/group.ts'
import { flag, text } from '../declare/kinds.ts'

export const engine = group('Cluster:', [...CLUSTERS, 'tile'], {
  engine: option({
    flag: '--engine <name>',
    kind: text(),
    help: "engine to trace with; see 'sortfirst engines'",
    usual: 'wasm',
    variable: CLUSTERS,
    library: true,
    decides: 'pixels',
  }),
  mixEngines: option({
    flag: '--mix-engines',
    kind: flag,
    help: 'with --engine webgpu: CPUs trace beside graphics cards; whose bytes a pixel has depends on who was faster, as every output says',
    usual: false,
    more: 'a tile alone is of the card',
    library: true,
    decides: 'pixels',
  }),
  fastMath: option({
    flag: '--fast-math',
    kind: flag,
    help: 'a faster kernel whose frames may differ between machines and Node.js releases',
    usual: false,
    decides: 'pixels',
    entry: 'engine',
  }),
})
