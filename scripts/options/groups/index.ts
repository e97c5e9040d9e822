/** All groups of options of the commands that make pictures, in the order of help and tables. */

import {
  type Caller,
  type CommandName,
  commandLine,
  type GivenOf,
  type Group,
  longFlag,
  optionsOf,
  readWords,
  type SettledOf,
  settled,
  type Words,
} from '../declare/group.ts'
import { accessOfClients } from './access.ts'
import { cache } from './cache.ts'
import { camera } from './camera.ts'
import { cluster } from './cluster.ts'
import { display } from './display.ts'
import { engine } from './engine.ts'
import { film } from './film.ts'
import { light } from './light.ts'
import { look } from './look.ts'
import { output } from './output.ts'
import { page } from './page.ts'
import { passes } from './passes.ts'
import { shutter } from './shutter.ts'
import { choice, strategy } from './strategy.ts'
import { tile } from './tile.ts'

export const GROUPS = [
  choice,
  page,
  output,
  film,
  shutter,
  passes,
  light,
  camera,
  look,
  display,
  cluster,
  engine,
  cache,
  accessOfClients,
  strategy,
  tile,
] as const

type Every<T> = (T extends unknown ? (each: T) => void : never) extends (each: infer All) => void ? All : never
type EachGiven<G> = G extends Group ? GivenOf<G> : never
type EachSettled<G> = G extends Group ? SettledOf<G> : never
/** The values that were given, of several groups. */
export type GivenOfAll<G extends readonly Group[]> = Every<EachGiven<G[number]>>

/** What a command was told. */
export type RunGiven = GivenOfAll<typeof GROUPS>
/** The same with defaults. */
export type RunSettled = Every<EachSettled<(typeof GROUPS)[number]>>

/** @throws UsageError */
export const readRun = (command: CommandName, words: Words): RunGiven =>
  readWords(commandLine(GROUPS, command), words) as RunGiven

export const settledRun = (caller: Caller, given: RunGiven): RunSettled =>
  settled({ groups: GROUPS, caller }, given) as RunSettled

/** Long flags of `render` with which `tile` traces the same pixels. */
export const TILE_FLAGS: ReadonlySet<string> = new Set(
  [...optionsOf(GROUPS, 'tile').values()].filter(({ decides }) => decides !== undefined).map(longFlag),
)

/** Options that are of one scene: where it is seen from, how it looks, and how much light suits it. */
const OF_ONE_SCENE = { ...camera.options, ...look.options, exposure: display.options.exposure }

/** What was given, for any other scene. */
export const givenForAny = (given: RunGiven): RunGiven =>
  Object.fromEntries(Object.entries(given).filter(([key]) => !Object.hasOwn(OF_ONE_SCENE, key))) as RunGiven

/** Those of these flags that are for any scene. */
export function ofAnyScene(flags: ReadonlySet<string>): ReadonlySet<string> {
  const others = new Set(Object.values(OF_ONE_SCENE).map(longFlag))
  return new Set([...flags].filter(long => !others.has(long)))
}
