/** Options of `sortfirst worker`. */

import {
  commandLine,
  type GivenOf,
  group,
  option,
  readWords,
  type SettledOf,
  settled,
  type Words,
} from '../declare/group.ts'
import { flag, number, orAuto, path, several, text, wholeNumber } from '../declare/kinds.ts'
import { accessOfWorkers } from './access.ts'
import { cache } from './cache.ts'
import { engine } from './engine.ts'
import { logOfDaemons, untilInputEnds } from './master.ts'

const PLAIN_HEADING = 'Options:'
/** A year. */
const MOST_SECONDS = 31_536_000
const OF_WORKER = { commands: ['worker'], variable: ['worker'] } as const

const ACCELERATORS = 'Accelerators:'

const worker = group(PLAIN_HEADING, ['worker'], {
  threads: option({
    flag: '--threads <n>',
    kind: orAuto(wholeNumber(1, 1024)),
    help: 'tracing threads, all on one scene in shared memory; auto: one for each core, or for each that a batch job was given',
    usual: 1,
    ...OF_WORKER,
  }),
  name: option({
    flag: '--name <text>',
    kind: text(),
    help: 'name in reports',
    otherwise: 'host name and process id',
    ...OF_WORKER,
  }),
  engine: option({ ...engine.options.engine, heading: PLAIN_HEADING, ...OF_WORKER }),
  fastMath: option({
    flag: '--fast-math',
    kind: flag,
    help: 'a faster kernel whose frames may differ between machines; the master needs it, too',
    usual: false,
  }),
  speed: option({
    flag: '--speed <ratio>',
    kind: number(0, 1e6),
    help: 'throughput of a thread relative to other workers’ threads',
    usual: 1,
    ...OF_WORKER,
  }),
  cores: option({
    flag: '--cores <n>',
    kind: number(0.001, 1024),
    help: 'limit it to this many cores',
    otherwise: 'unlimited',
    ...OF_WORKER,
  }),
  accelerator: option({
    flag: '--accelerator <kind>',
    kind: several,
    heading: ACCELERATORS,
    help: 'what traces beside the CPU: auto, webgpu:<name>, simulated:4, process:wasm; may be repeated',
    ...OF_WORKER,
  }),
  acceleratorRequired: option({
    flag: '--accelerator-required',
    kind: flag,
    heading: ACCELERATORS,
    help: 'end if it is not available or does not work, instead of going on with the CPU',
    usual: false,
  }),
  feeders: option({
    flag: '--feeders <n>',
    kind: wholeNumber(0, 1023),
    heading: ACCELERATORS,
    help: 'threads left free to feed accelerators',
    otherwise: '1 if there are two or more',
    ...OF_WORKER,
  }),
  retryFor: option({
    flag: '--retry-for <seconds>',
    kind: number(0, MOST_SECONDS),
    help: 'how long to try to reach the master',
    usual: 60,
    ...OF_WORKER,
  }),
  deathTimeout: option({
    flag: '--death-timeout <seconds>',
    kind: number(0.001, MOST_SECONDS),
    help: 'end successfully when there has been no master for this long; instead of {retryFor}, after which it fails',
    rules: [{ excludes: 'retryFor' }],
    ...OF_WORKER,
  }),
  lifetime: option({
    flag: '--lifetime <seconds>',
    kind: number(0.001, MOST_SECONDS),
    help: 'leave after this long: what it has begun is finished, the rest goes to others',
    ...OF_WORKER,
  }),
  cache: option({ ...cache.options.cache, heading: PLAIN_HEADING, ...OF_WORKER }),
  noCache: option({ ...cache.options.noCache, heading: PLAIN_HEADING, commands: ['worker'] }),
  readyFile: option({
    flag: '--ready-file <path>',
    kind: path('file'),
    help: 'a file that exists while joined to a cluster, for health checks',
    ...OF_WORKER,
  }),
  state: option({
    flag: '--state <folder>',
    kind: path('folder'),
    help: 'a folder of this worker alone, for the key by which masters know it again when it is started anew',
    otherwise: 'a new key for each start',
    ...OF_WORKER,
  }),
  threadsAtOnce: option({
    flag: '--threads-at-once',
    kind: flag,
    help: 'start tracing threads before there is a scene',
    usual: false,
    hidden: true,
  }),
  logForm: logOfDaemons,
  untilInputEnds,
})

export const WORKER = [worker, accessOfWorkers] as const

/** @throws UsageError */
export function readWorker(words: Words): SettledOf<typeof worker> & GivenOf<typeof accessOfWorkers> {
  const voice = commandLine(WORKER, 'worker')
  return settled(voice, readWords(voice, words)) as SettledOf<typeof worker> & GivenOf<typeof accessOfWorkers>
}
