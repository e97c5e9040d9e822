/** Where packed and built scenes are kept. The folder is looked for in `worker-options.ts`. */
import { by, group, option, PICTURES, SCENE_HEADING } from '../declare/group.ts'
import { flag, path } from '../declare/kinds.ts'

export const cache = group('Cluster:', PICTURES, {
  cache: option({
    flag: '--cache <folder>',
    kind: path('folder'),
    help: 'folder for packed and built scenes that are kept for the next run',
    otherwise: 'the system’s cache folder',
    heading: by({ render: 'Cluster:', simulate: SCENE_HEADING }),
    commands: PICTURES,
    variable: PICTURES,
  }),
  noCache: option({
    flag: '--no-cache',
    kind: flag,
    help: 'load and build everything again, and cache nothing',
    heading: by({ render: 'Cluster:', simulate: SCENE_HEADING }),
    commands: PICTURES,
  }),
})
