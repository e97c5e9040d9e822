/** Damages files on purpose, as fast-check draws it: the same draw damages a file in the same way. */
import fc from 'fast-check'
import type { AnyGltf } from './gltf.ts'

/** One change of bytes. Places are shares of what there is, so that a draw fits any file. */
export interface ByteDamage {
  readonly kind: 'byte' | 'word' | 'cut' | 'drop' | 'repeat'
  readonly place: number
  readonly value: number
}

const WORDS = [0, 1, 0x7f800000, 0x7fc00000, 0xff800000, 0x7fffffff, 0x80000000, 0xffffffff, 0x01010101]

export const byteDamage: fc.Arbitrary<ByteDamage> = fc.record({
  kind: fc.constantFrom('byte', 'byte', 'byte', 'word', 'word', 'cut', 'drop', 'repeat'),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.nat({ max: 0xffff }),
})

export function damaged(bytes: Uint8Array, { kind, place, value }: ByteDamage): Uint8Array {
  const at = Math.floor(place * bytes.length)
  const copy = Uint8Array.from(bytes)
  if (kind === 'cut') return copy.subarray(0, at)
  if (kind === 'drop') return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at + 1 + (value % 16))])
  if (kind === 'repeat') return Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(Math.floor(at / 2))])
  if (kind === 'byte') copy[at] = value & 255
  else {
    const word = at - (at % 4)
    if (word + 4 <= copy.length)
      new DataView(copy.buffer, copy.byteOffset).setUint32(word, WORDS[value % WORDS.length]!, true)
  }
  return copy
}

const WORDS_OF_TEXT = [
  ...['', '-1', '0', '1', '4294967296', '1e400', 'nan', '-inf', '0x10', '1/1/1', '9//9', '\u001b[2J', 'constructor'],
  ...['f', 'v', 'vn', 'vt', 'usemtl', 'mtllib', 'o', 'newmtl', 'map_Kd', '-s', '-constructor', '-clamp', '../../a.png'],
  ...['element', 'property', 'list', 'uchar', 'double', 'face', 'vertex', 'facet', 'endfacet', 'endsolid', 'solid'],
]

/** The text with another word in place of one. */
export function damagedText(text: string, { place, value }: ByteDamage): string {
  const words = text.split(/(\s+)/)
  words[Math.floor(place * words.length)] = WORDS_OF_TEXT[value % WORDS_OF_TEXT.length]!
  return words.join('')
}

/** One change of a document. */
export interface JsonDamage {
  readonly kind: 'number' | 'string' | 'delete' | 'other' | 'rename' | 'duplicate' | 'swap'
  readonly place: number
  readonly value: number
}

const NUMBERS = [
  -1,
  0,
  0.5,
  1,
  1.5,
  2,
  3,
  5120,
  5125,
  5126,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53,
  1e308,
  -1e308,
  1e-300,
]
const STRINGS = [
  ...['', 'constructor', '__proto__', 'toString', 'a\u001b[2J\nb', 'POSITION', 'SCALAR', 'MAT4', 'BLEND', '2.0'],
  ...[
    '../out.bin',
    '/etc/passwd',
    'http://host/x',
    'file:///etc/passwd',
    'data:',
    'data:;base64,!!',
    '%00',
    '%',
    'a\\b',
  ],
]
const OTHERS: readonly unknown[] = [null, true, [], {}, [[]], -1, 0, 'x', [1e308], { index: 0 }, [null, null, null]]

export const jsonDamage: fc.Arbitrary<JsonDamage> = fc.record({
  kind: fc.constantFrom('number', 'number', 'number', 'string', 'delete', 'other', 'rename', 'duplicate', 'swap'),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  value: fc.nat({ max: 0xffff }),
})

/** A changed copy of a document. */
export function damagedDocument(document: AnyGltf, { kind, place, value }: JsonDamage): AnyGltf {
  const copy = structuredClone(document)
  const wanted = kind === 'number' || kind === 'string' ? kind : undefined
  const places = placesIn(copy).filter(({ holder, key }) => wanted === undefined || typeof holder[key] === wanted)
  const chosen = places[Math.floor(place * places.length)]
  if (!chosen) return copy
  const { holder, key } = chosen
  const drawn = (from: readonly unknown[]) => structuredClone(from[value % from.length])
  if (kind === 'number') holder[key] = drawn(NUMBERS)
  else if (kind === 'string') holder[key] = drawn(STRINGS)
  else if (kind === 'other') holder[key] = drawn(OTHERS)
  else if (kind === 'delete') {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else if (kind === 'rename') {
    if (Array.isArray(holder)) return copy
    // As JSON has it: an assignment would change the prototype.
    Object.defineProperty(holder, String(drawn(STRINGS)), { value: holder[key], enumerable: true, writable: true })
    delete holder[key]
  } else if (kind === 'duplicate') {
    if (Array.isArray(holder)) holder.push(...structuredClone(holder.slice(0, 1 + (value % 3))))
  } else {
    const other = places[value % places.length]!
    holder[key] = structuredClone(other.holder[other.key])
  }
  return copy
}

interface Place {
  readonly holder: AnyGltf
  readonly key: string | number
}

/** Everything in a document. */
export function placesIn(part: AnyGltf): Place[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.keys(part).flatMap(key => [{ holder: part, key }, ...placesIn(part[key])])
}
