/**
 * Colours of PLY vertices. The format does not say what their numbers mean; every scanner and viewer takes them as sRGB, so
 * they are decoded to linear light. Opacity is linear.
 *
 * | type | 0 to 1 is |
 * |---|---|
 * | `uchar` | 0 to 255 |
 * | `char` | the same byte: it is the type that some writers name |
 * | `ushort` | 0 to 65535 |
 * | `short`, `int`, `uint` | 0 to 255 |
 * | `float`, `double` | 0 to 1; or 0 to 255, in a file with a value above 2 |
 *
 * What lies outside is clamped.
 */
import { linearFromSrgb } from '../../../shared/math/srgb.ts'
import { BadMeshError } from '../../errors.ts'
import { bytesOf } from './ply-bulk.ts'
import type { PlyElement, PlyType } from './ply-header.ts'
import { type BinaryBody, valueAt } from './ply-numbers.ts'

/** Where the red, green and blue of an element are, and the opacity if there is one. */
export interface ColorChannels {
  readonly columns: readonly number[]
  readonly types: readonly PlyType[]
}

/** The first complete colour of an element. */
export function colorChannels({ properties }: PlyElement): ColorChannels | undefined {
  const find = (name: string) => properties.findIndex(each => each.name === name && each.countType === undefined)
  for (const [red, green, blue, ...alphas] of NAMES) {
    const alpha = alphas.map(find).find(column => column >= 0)
    const columns = [find(red), find(green), find(blue), ...(alpha === undefined ? [] : [alpha])]
    if (!columns.includes(-1)) return { columns, types: columns.map(column => properties[column]!.type) }
  }
  return undefined
}

const NAMES = [
  ['red', 'green', 'blue', 'alpha'],
  ['diffuse_red', 'diffuse_green', 'diffuse_blue', 'diffuse_alpha', 'alpha'],
  ['r', 'g', 'b', 'a', 'alpha'],
] as const

/** Whether a property's name is one of a colour's. */
export const isColorName = (name: string): boolean => NAMES.some(names => names.slice(0, 3).some(each => each === name))

/** The channels of a binary element of single numbers that begins at `start`, row by row as they are in the file. */
export function readChannels(
  { properties, count }: PlyElement,
  { columns, types }: ColorChannels,
  body: BinaryBody,
  start: number,
): Float32Array {
  const stride = bytesOf(properties)
  const width = columns.length
  const encoded = new Float32Array(count * width)
  columns.forEach((column, channel) => {
    const type = types[channel]!
    let from = start + bytesOf(properties.slice(0, column))
    for (let at = channel; at < encoded.length; at += width, from += stride) encoded[at] = valueAt(body, type, from)
  })
  return encoded
}

/**
 * Linear red, green, blue and opacity per vertex. @param encoded as in the file, row by row
 * @throws BadMeshError for a colour that is not finite
 */
export function linearColors(encoded: Float32Array, { types }: ColorChannels, path: string): Float32Array {
  const width = types.length
  const count = encoded.length / width
  for (let at = 0; at < encoded.length; at++)
    if (!Number.isFinite(encoded[at])) {
      const vertex = Math.floor(at / width)
      const got = encoded.subarray(vertex * width, vertex * width + width).join(' ')
      throw new BadMeshError(path, `vertex ${vertex}: expected a colour of finite numbers, got ${got}`)
    }
  const colors = new Float32Array(count * 4).fill(1)
  const tables = new Map<number, Float32Array>()
  types.forEach((type, channel) => {
    const full = fullScale(type, encoded, channel === 3 ? 3 : 0, channel === 3 ? 4 : 3, width)
    // Decoding takes a tenth of a microsecond: a table pays if there are more colours than values.
    const table =
      channel < 3 && !isFloat(type) && full < encoded.length ? (tables.get(full) ?? tableOf(full)) : undefined
    if (table) tables.set(full, table)
    for (let from = channel, to = channel; to < colors.length; from += width, to += 4) {
      const own = encoded[from]!
      const inside = Math.min(Math.max(type === 'i8' && own < 0 ? own + 256 : own, 0), full)
      const value = isFloat(type) ? inside : Math.round(inside)
      if (table) colors[to] = table[value]!
      else colors[to] = channel < 3 ? linearFromSrgb(value / full) : value / full
    }
  })
  return colors
}

const isFloat = (type: PlyType): boolean => type === 'f32' || type === 'f64'

/** The number that means 1, for channels from `first` to before `end`. */
function fullScale(type: PlyType, encoded: Float32Array, first: number, end: number, width: number): number {
  if (type === 'u16') return 65535
  if (!isFloat(type)) return 255
  for (let at = 0; at < encoded.length; at += width)
    for (let channel = first; channel < end; channel++) if (encoded[at + channel]! > 2) return 255
  return 1
}

const tableOf = (full: number): Float32Array =>
  Float32Array.from({ length: full + 1 }, (_, value) => linearFromSrgb(value / full))
