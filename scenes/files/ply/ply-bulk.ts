/**
 * Fast path for what most binary PLY files contain, without checking each number's type: float vertices, and faces that are
 * all triangles. Anything else, or anything invalid, is left to the general reader, which takes four times as long and
 * reports what is wrong.
 */
import type { PlyElement, PlyProperty } from './ply-header.ts'
import { type BinaryBody, BYTES } from './ply-numbers.ts'

/**
 * The given columns of an element of single numbers, if those columns are floats: row by row, as many floats as columns.
 * Otherwise undefined.
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

/** The corners of faces that are all triangles, each below `vertices`. Undefined if any face differs. */
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
      // Read as unsigned, a negative index exceeds every valid one.
      const index = view.getUint32(from + corner, littleEndian)
      if (index >= vertices) return undefined
      corners[to++] = index
    }
  }
  body.at = at + count * TRIANGLE_BYTES
  return corners
}

/** A one-byte count and three four-byte numbers. */
const TRIANGLE_BYTES = 13

/** Of a row of single numbers. */
export const bytesOf = (properties: readonly PlyProperty[]): number =>
  properties.reduce((sum, { type }) => sum + BYTES[type], 0)
