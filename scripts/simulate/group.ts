/** Options of `sortfirst simulate` that are its own; it also has those of pictures and strategies. */
import { join } from 'node:path'
import type { VirtualArea } from '../../master/simulator/cluster-spec.ts'
import { CLOCKS } from '../../shared/frame/frame-limits.ts'
import {
  commandLine,
  type GivenOf,
  group,
  option,
  readWords,
  SCENE_HEADING,
  type Words,
} from '../options/declare/group.ts'
import { flag, type Kind, number, oneOf, path, share, text, wholeNumber, wordsIn } from '../options/declare/kinds.ts'
import { film } from '../options/groups/film.ts'
import { GROUPS, type RunGiven } from '../options/groups/index.ts'
import { parseAreas } from './area-options.ts'

export const RECORDING_EXTENSION = '.ndjson'

const MAX_WORKERS = 100_000
const DEFAULT_OUT = join('out', 'simulate')

/** A value for each comma-separated word. @param such some of them */
const listOf = <T>(kind: Kind<T>, such: string): Kind<readonly T[]> => ({
  type: `readonly ${kind.type}[]`,
  read: (word, wrong) => wordsIn(word, `numbers such as ${such}`, wrong).map(each => kind.read(each, wrong)),
  check() {},
})

const anyCounts = listOf(wholeNumber(1, MAX_WORKERS), '8,64')
const counts: Kind<readonly number[]> = {
  ...anyCounts,
  read(word, wrong) {
    const numbers = anyCounts.read(word, wrong)
    if (new Set(numbers).size < numbers.length) throw wrong('each number of workers once', `'${word}'`)
    return numbers
  },
}

const anySpeeds = listOf(number(0, 1e6), '1,1,0.5')
const speeds: Kind<readonly number[]> = {
  ...anySpeeds,
  read(word, wrong) {
    const numbers = anySpeeds.read(word, wrong)
    if (!numbers.some(speed => speed > 0)) throw wrong('at least one above 0', `'${word}'`)
    return numbers
  },
}

const recorded: Kind<string> = {
  ...path('file'),
  read(word, wrong) {
    const name = path('file').read(word, wrong)
    if (!name.endsWith(RECORDING_EXTENSION)) throw wrong(`a name that ends with ${RECORDING_EXTENSION}`, `'${word}'`)
    return name
  },
}

const { frames } = film.options
const fromTheFirst: typeof frames.kind = {
  ...frames.kind,
  read(word, wrong) {
    const range = frames.kind.read(word, wrong)
    if (word.includes('..'))
      throw wrong(
        'a number of frames, from frame 0: what a strategy knows about a frame is from the frames before',
        `'${word}'`,
      )
    return range
  },
}

const [OUTPUT, RECORDING, CLUSTER] = ['Output:', 'Recording:', 'Cluster:']

export const simulation = group(CLUSTER!, ['simulate'], {
  out: option({
    flag: '-o, --out <folder>',
    kind: path('folder'),
    help: 'output folder',
    usual: DEFAULT_OUT,
    heading: OUTPUT,
    variable: ['simulate'],
  }),
  json: option({
    flag: '--json',
    kind: flag,
    help: 'print the summary as JSON, and nothing else; with several numbers of workers a list of them',
    usual: false,
    heading: OUTPUT,
  }),
  check: option({
    flag: '--check',
    kind: flag,
    help: 'only compare the recording’s live frames with simulated ones',
    usual: false,
    heading: OUTPUT,
  }),
  from: option({
    flag: '--from <strategy>',
    kind: text(),
    help: 'simulate the frames recorded with this strategy',
    otherwise: 'the first',
    heading: RECORDING,
  }),
  frames: option({
    flag: '--frames <n>',
    kind: fromTheFirst,
    help: 'number of frames',
    otherwise: 'all of a recording, 20 of a scene',
    heading: RECORDING,
  }),
  record: option({
    flag: '--record <file>',
    kind: recorded,
    help: 'record the traced costs, so that they need not be traced again',
    heading: SCENE_HEADING,
  }),
  workers: option({
    flag: '--workers <n,…>',
    kind: counts,
    help: 'how many; one simulation per number',
    otherwise: 'those of the recording, or 8',
  }),
  speeds: option({
    flag: '--speeds <ratio,…>',
    kind: speeds,
    help: 'one per worker, or a pattern to repeat',
    otherwise: '1',
    rules: [{ needs: 'workers' }],
  }),
  areas: option<readonly VirtualArea[]>({
    flag: '--areas <name:speed,…>',
    kind: { type: 'string', read: word => parseAreas(word), check() {} },
    help: 'areas of each worker, the CPU first, such as cpu:1,gpu:6.7@pcie',
    more: '`@pcie` adds 0.5 ms per order and 1.5 ms per million pixels',
    otherwise: 'one area',
  }),
  levels: option({
    flag: '--levels <n>',
    kind: wholeNumber(1, 2),
    help: '2: a master for each rack of workers below the one above',
    more: '[two levels](master/simulator/README.md#two-levels)',
    usual: 1,
  }),
  racks: option({
    flag: '--racks <n>',
    kind: wholeNumber(2, MAX_WORKERS),
    help: 'with {levels} 2: how many racks, 2 to the number of workers',
    otherwise: 'about the square root of {workers}',
  }),
  workerCores: option({
    flag: '--worker-cores <n>',
    kind: number(1e-3, 1024),
    help: 'cores a worker of speed 1 is limited to',
    otherwise: 'as recorded, or 1',
  }),
  latency: option({
    flag: '--latency <ms>',
    kind: number(0, 60_000),
    help: 'one-way network latency',
    otherwise: '0.15; with {check} as recorded',
  }),
  bandwidth: option({
    flag: '--bandwidth <Mbit/s>',
    kind: number(1e-3, 1e9),
    help: 'bandwidth of each worker’s link, and of the master’s',
    otherwise: 'no limit',
  }),
  tileNoise: option({
    flag: '--noise <share>',
    kind: share(),
    help: 'standard deviation of tile times, as a share of them',
    usual: 0,
  }),
  migrationCost: option({
    flag: '--migration-cost <ms>',
    kind: number(0, 1000),
    help: 'CPU time for each pixel that changes owner',
    usual: 0,
  }),
  clock: option({
    flag: '--clock <name>',
    kind: oneOf('clock', CLOCKS),
    help: 'clock that measures costs: cpu or wall',
    otherwise: 'as recorded, or cpu',
  }),
})

export const SIMULATION = [simulation, ...GROUPS] as const

/** What `simulate` was told. */
export type SimulateGiven = GivenOf<typeof simulation> & Omit<RunGiven, keyof GivenOf<typeof simulation>>

/** @throws UsageError */
export const readSimulation = (words: Words): SimulateGiven =>
  readWords(commandLine(SIMULATION, 'simulate'), words) as SimulateGiven
