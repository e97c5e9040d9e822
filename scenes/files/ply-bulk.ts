/**
 * What most binary PLY files are, read without looking at each number's type: vertices of floats, and faces that are all triangles.
 * Whatever is otherwise, or wrong, is left to the reader of any PLY, which takes four times as long and says what is wrong.
 */
import type { PlyElement, PlyProperty } from './ply-header.ts'
import { type BinaryBody, BYTES } from './ply-numbers.ts'

/**
 * The columns of an element of single numbers, those of them floats: row by row, as many floats as columns. Undefined where it is
 * otherwise.
 */
export function readFloatColumns(
  { properties, count }: PlyElement,
  columns: readonly number[],
  body: BinaryBody,
): Float32Array | undefined {
  if (properties.some(({ countType }) => countType !== undefined)) return undefined
  if (columns.some(column => properties[column]?.type !== 'f32')) return undefined
  const offsets = columns.map(column => bytesOf(properties.slice(0, column)))
  const stride = bytesOf(properties)
  const { view, littleEndian, at } = body
  if (at + count * stride > view.byteLength) return undefined
  const floats = new Float32Array(count * offsets.length)
  let to = 0
  for (let row = 0, from = at; row < count; row++, from += stride)
    for (let i = 0; i < offsets.length; i++) floats[to++] = view.getFloat32(from + offsets[i]!, littleEndian)
  body.at = at + count * stride
  return floats
}

/** The corners of faces that are triangles and nothing else, below `vertices` each. Undefined where one is otherwise. */
export function readTriangles(
  { properties, count }: PlyElement,
  vertices: number,
  body: BinaryBody,
): Uint32Array | undefined {
  const [list, ...others] = properties
  if (!list?.countType || others.length > 0 || BYTES[list.countType] !== 1 || BYTES[list.type] !== 4) return undefined
  if (list.type === 'f32') return undefined
  const { view, littleEndian, at } = body
  if (at + count * TRIANGLE_BYTES > view.byteLength) return undefined
  const corners = new Uint32Array(count * 3)
  let to = 0
  for (let face = 0, from = at; face < count; face++, from += TRIANGLE_BYTES) {
    if (view.getUint8(from) !== 3) return undefined
    for (let corner = 1; corner < TRIANGLE_BYTES; corner += 4) {
      // One below 0 is above all others.
      const index = view.getUint32(from + corner, littleEndian)
      if (index >= vertices) return undefined
      corners[to++] = index
    }
  }
  body.at = at + count * TRIANGLE_BYTES
  return corners
}

/** A count of one byte, and three numbers of four. */
const TRIANGLE_BYTES = 13

const bytesOf = (properties: readonly PlyProperty[]): number =>
  properties.reduce((sum, { type }) => sum + BYTES[type], 0)
