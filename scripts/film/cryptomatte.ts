/**
 * Mattes as other programs read them: Cryptomatte 1.2.0 (Jones and Friedman, Psyop, 2018). Names are known by their MurmurHash3, of
 * UTF-8, as the bits of a float; layers `CryptoObject00`, `01`, … have two ranks each, an id in R and B and its coverage in G and A; and the header
 * says which name each id is. Ids and coverage are floats always.
 */
import { RANKS } from '../../shared/frame/coverage-table.ts'
import { OTHERS } from '../../shared/scene/scene-names.ts'
import type { ExrLayer } from './exr-file.ts'
import { murmurHash } from './murmur-hash.ts'

export interface Matte {
  readonly layers: Readonly<Record<string, ExrLayer>>
  /** For the header. */
  readonly words: Readonly<Record<string, string>>
}

const RANKS_PER_LAYER = 2
/** What has no name of its own is called. */
const NAME_OF_OTHERS = 'others'

/**
 * @param name of the matte: `CryptoObject`
 * @param ranks as the channels `cryptoObject` and `cryptoMaterial` have them
 * @param names by number
 */
export function cryptomatte(name: string, ranks: Float32Array, names: readonly string[]): Matte {
  const ids = Float32Array.from([...names, NAME_OF_OTHERS], each => idOf(each))
  const ofOthers = ids.at(-1)!
  const pixels = ranks.length / (RANKS * 2)
  let hasOthers = false
  const layers: [string, ExrLayer][] = []
  for (let first = 0; first < RANKS; first += RANKS_PER_LAYER) {
    const values = new Float32Array(pixels * RANKS_PER_LAYER * 2)
    for (let pixel = 0; pixel < pixels; pixel++)
      for (let rank = 0; rank < RANKS_PER_LAYER; rank++) {
        const from = (pixel * RANKS + first + rank) * 2
        const id = ranks[from]!
        if (id === 0) continue
        const isOther = id > names.length
        hasOthers ||= isOther
        const to = (pixel * RANKS_PER_LAYER + rank) * 2
        values[to] = isOther ? ofOthers : ids[id - 1]!
        values[to + 1] = ranks[from + 1]!
      }
    const number = String(first / RANKS_PER_LAYER).padStart(2, '0')
    layers.push([`${name}${number}`, { values, channels: 'RGBA', type: 'float' }])
  }
  const listed = hasOthers || names.length === OTHERS ? [...names, NAME_OF_OTHERS] : names
  const key = `cryptomatte/${hex(hashOf(name)).slice(0, 7)}`
  return {
    layers: Object.fromEntries(layers),
    words: {
      [`${key}/name`]: name,
      [`${key}/hash`]: 'MurmurHash3_32',
      [`${key}/conversion`]: 'uint32_to_float32',
      [`${key}/manifest`]: JSON.stringify(Object.fromEntries(listed.map(each => [each, hex(bitsOf(each))]))),
    },
  }
}

const hashOf = (name: string): number => murmurHash(new TextEncoder().encode(name))

/** The bits of a name's id. Exponents of 0 and 255 are moved by 1: ids are neither denormal nor infinite nor NaN. */
export function bitsOf(name: string): number {
  const hash = hashOf(name)
  const exponent = Math.min(254, Math.max(1, (hash >>> 23) & 255))
  return ((hash & 0x807fffff) | (exponent << 23)) >>> 0
}

const idOf = (name: string): number => new Float32Array(Uint32Array.of(bitsOf(name)).buffer)[0]!

const hex = (bits: number): string => bits.toString(16).padStart(8, '0')
