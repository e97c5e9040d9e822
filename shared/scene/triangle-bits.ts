/**
 * The numbers of a triangle, in as few words as the scene's largest ones need: of three vertices, counter-clockwise seen from outside, and of a
 * material. A number may begin in one word and end in the next. Two of them are within the first 64 bits, the others within the last:
 *
 *     lowest bit first   | a | b |   zeros   | material | c |
 */

/** How many bits numbers of a kind have, and how many words a triangle. */
export interface TriangleBits {
  readonly vertex: number
  readonly material: number
  readonly words: number
}

/** A word for each number. */
export const WHOLE_WORDS: TriangleBits = { vertex: 32, material: 32, words: 4 }

/** For numbers that are smaller than these. */
export function triangleBits(vertices: number, materials: number): TriangleBits {
  const [vertex, material] = [bitsBelow(vertices), bitsBelow(materials)]
  return { vertex, material, words: Math.ceil((3 * vertex + material) / 32) }
}

const bitsBelow = (count: number): number => 32 - Math.clz32(Math.max(1, count - 1))

/** Writes the words of a triangle, whatever is there. */
export function putTriangle(
  words: Uint32Array,
  bits: TriangleBits,
  triangle: number,
  a: number,
  b: number,
  c: number,
  material: number,
): void {
  const { vertex } = bits
  const at = triangle * bits.words
  for (let word = at; word < at + bits.words; word++) words[word] = 0
  putNumber(words, at, 0, vertex, a)
  putNumber(words, at, vertex, vertex, b)
  putNumber(words, at, lastBit(bits), vertex, c)
  putNumber(words, at, lastBit(bits) - bits.material, bits.material, material)
}

/** Number of the vertex at corner 0, 1 or 2. */
export const vertexIn = (words: Uint32Array, bits: TriangleBits, triangle: number, corner: number): number =>
  numberIn(words, triangle * bits.words, corner === 2 ? lastBit(bits) : corner * bits.vertex, bits.vertex)

export const materialIn = (words: Uint32Array, bits: TriangleBits, triangle: number): number =>
  numberIn(words, triangle * bits.words, lastBit(bits) - bits.material, bits.material)

/** Where c begins. */
const lastBit = ({ words, vertex }: TriangleBits): number => 32 * words - vertex

function putNumber(words: Uint32Array, at: number, bit: number, bits: number, value: number): void {
  const word = at + (bit >>> 5)
  const shift = bit & 31
  words[word]! |= value << shift
  if (shift + bits > 32) words[word + 1]! |= value >>> (32 - shift)
}

function numberIn(words: Uint32Array, at: number, bit: number, bits: number): number {
  const word = at + (bit >>> 5)
  const shift = bit & 31
  const low = words[word]! >>> shift
  const all = shift + bits > 32 ? low | (words[word + 1]! << (32 - shift)) : low
  return (all & (0xffffffff >>> (32 - bits))) >>> 0
}
