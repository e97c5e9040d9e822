/**
 * Reads the statements of a Wavefront material file, with those of the physically based extension. three's MTLLoader is not used: it
 * fetches images, and discards the index of refraction and the illumination model.
 */
import type { Vec3 } from '../../../shared/frame/view.ts'
import { type MtlMap, parseMap } from './mtl-map.ts'

/** A material as the file describes it; `undefined` is what it leaves out. */
export interface MtlEntry {
  readonly name: string
  /** Numbers of each statement, finite, in the order of the line. */
  readonly numbers: Readonly<Partial<Record<NumberStatement, readonly number[]>>>
  readonly maps: Readonly<Partial<Record<MapStatement, MtlMap>>>
  /** Statements for features that are not traced, and why. */
  readonly unmet: ReadonlyMap<string, string>
}

const NUMBER_STATEMENTS = [
  ...(['Kd', 'Ke', 'Ks', 'Ns', 'Ni', 'd', 'Tr', 'illum'] as const),
  ...(['Pr', 'Pm', 'Ps', 'Pc', 'Pcr', 'aniso', 'anisor'] as const),
]
export type NumberStatement = (typeof NUMBER_STATEMENTS)[number]

const MAP_STATEMENTS = [
  ...(['map_kd', 'map_ke', 'map_d', 'map_ks', 'map_bump', 'norm'] as const),
  ...(['map_pr', 'map_pm', 'map_ps', 'map_pc', 'map_pcr'] as const),
]
/** In lower case: writers differ. */
export type MapStatement = (typeof MAP_STATEMENTS)[number]

/** Other names of the same. */
const SYNONYMS: ReadonlyMap<string, MapStatement> = new Map([
  ['bump', 'map_bump'],
  ['map_norm', 'norm'],
  ['map_kn', 'norm'],
])

/** Pictures that are of no use for a tracer: of ambient light, which it finds out, and of anti-aliasing. */
const NEEDLESS = /^map_(ka|aat)$/
const OTHER_MAPS = /^(map_\w+|disp|decal|refl)$/

/** Materials by name. */
export function readMtl(text: string): Map<string, MtlEntry> {
  const materials = new Map<string, MtlEntry>()
  let entry: Entry | undefined
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [keyword = '', ...words] = line.trim().split(/\s+/)
    const rest = line.trim().slice(keyword.length).trim()
    if (keyword === 'newmtl') {
      entry = { name: rest, numbers: {}, maps: {}, unmet: new Map() }
      materials.set(rest, entry)
    } else if (entry && words.length > 0) readStatement(entry, keyword, words, rest)
  }
  return materials
}

interface Entry extends MtlEntry {
  readonly numbers: Partial<Record<NumberStatement, readonly number[]>>
  readonly maps: Partial<Record<MapStatement, MtlMap>>
  readonly unmet: Map<string, string>
}

function readStatement(entry: Entry, keyword: string, words: readonly string[], rest: string): void {
  const statement = NUMBER_STATEMENTS.find(each => each === keyword)
  const comment = words.findIndex(word => word.startsWith('#'))
  const numbers = words.slice(0, comment < 0 ? undefined : comment).map(Number)
  if (statement) {
    if (numbers.length === 0) return
    if (numbers.every(Number.isFinite)) entry.numbers[statement] = numbers
    else entry.unmet.set(statement, `expected numbers, got '${words.join(' ').slice(0, 60)}'`)
    // The last of the two counts.
    if (statement === 'd') delete entry.numbers.Tr
    if (statement === 'Tr') delete entry.numbers.d
  } else if (keyword === 'Tf' && numbers.some(channel => channel < 1))
    entry.unmet.set('Tf', 'tinted transparency is not supported')
  else readMap(entry, keyword, rest)
}

function readMap(entry: Entry, keyword: string, rest: string): void {
  const lower = keyword.toLowerCase()
  const statement = SYNONYMS.get(lower) ?? MAP_STATEMENTS.find(each => each === lower)
  if (!statement) {
    if (OTHER_MAPS.test(lower) && !NEEDLESS.test(lower))
      entry.unmet.set(keyword, 'pictures of this kind are not supported')
    return
  }
  const map = parseMap(rest)
  if (!map) return
  entry.maps[statement] = map
  for (const option of map.ignored) entry.unmet.set(`${keyword} -${option}`, 'this option is not supported')
}

/** The three numbers of a colour, of which one stands for all. */
export const colorOf = ([red = 0, green = red, blue = red]: readonly number[]): Vec3 => [red, green, blue]

/** Features requested by `unmet` statements but not traced, one sentence each. @param materials those in use */
export function unmetOf(materials: Iterable<Pick<MtlEntry, 'name' | 'unmet'>>): string[] {
  const askers = new Map<string, { statement: string; why: string; names: string[] }>()
  for (const { name, unmet } of materials)
    for (const [statement, why] of unmet) {
      const key = `${statement} ${why}`
      const before = askers.get(key)
      if (before) before.names.push(name)
      else askers.set(key, { statement, why, names: [name] })
    }
  return [...askers.values()].map(({ statement, why, names }) => {
    const others = names.length === 1 ? '' : ` and ${names.length - 1} more`
    return `${statement} of material '${names[0]}'${others}: ${why}`
  })
}
