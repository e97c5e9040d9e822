/** Reads the vertices of a PLY file: positions, and normals and colours if there are any. */
import { BadVertexError } from '../../errors.ts'
import type { FileMesh } from '../mesh-file.ts'
import { nearOrigin } from '../near-origin.ts'
import { readFloatColumns } from './ply-bulk.ts'
import { colorChannels, linearColors, readChannels } from './ply-colors.ts'
import type { PlyElement } from './ply-header.ts'
import { type Rows, readRow } from './ply-rows.ts'

export type Vertices = Pick<FileMesh, 'positions' | 'offset' | 'normals' | 'colors'>

export const AXES = ['x', 'y', 'z']
const NORMAL_AXES = ['nx', 'ny', 'nz']

/** @throws BadVertexError, BadMeshError, TruncatedMeshError */
export function readVertices(element: PlyElement, rows: Rows): Vertices {
  const names = [...AXES, ...NORMAL_AXES]
  const slots = element.properties.map(property => (property.countType ? -1 : names.indexOf(property.name)))
  const hasNormals = NORMAL_AXES.every((_, axis) => slots.includes(3 + axis))
  const channels = colorChannels(element)
  const { body } = rows.numbers
  const start = body?.at ?? 0
  const floats =
    body && !hasNormals
      ? readFloatColumns(
          element,
          AXES.map((_, slot) => slots.indexOf(slot)),
          body,
        )
      : undefined
  if (floats) {
    const positions = checkFinite(floats, rows.path)
    if (!channels) return { positions }
    return { positions, colors: linearColors(readChannels(element, channels, body!, start), channels, rows.path) }
  }
  const isExact = !body || AXES.some((_, axis) => element.properties[slots.indexOf(axis)]?.type === 'f64')
  const positions = new (isExact ? Float64Array : Float32Array)(element.count * 3)
  const normals = new Float32Array(hasNormals ? element.count * 3 : 0)
  const colorColumns = channels?.columns ?? []
  const encoded = new Float32Array(element.count * colorColumns.length)
  const row = new Float64Array(element.properties.length)
  const columns = names.map((_, slot) => slots.indexOf(slot))
  const [x, y, z, nx, ny, nz] = columns as [number, number, number, number, number, number]
  for (let vertex = 0; vertex < element.count; vertex++) {
    readRow(element, vertex, rows, row, undefined)
    const at = vertex * 3
    positions[at] = row[x]!
    positions[at + 1] = row[y]!
    positions[at + 2] = row[z]!
    // Tested after rounding: 1e60 is finite in the file and infinite in the mesh.
    const sum = Math.fround(row[x]!) + Math.fround(row[y]!) + Math.fround(row[z]!)
    if (sum - sum !== 0 && ![0, 1, 2].every(axis => Number.isFinite(Math.fround(positions[at + axis]!))))
      throw new BadVertexError(rows.path, vertex, [row[x]!, row[y]!, row[z]!])
    if (hasNormals) {
      normals[at] = row[nx]!
      normals[at + 1] = row[ny]!
      normals[at + 2] = row[nz]!
    }
    const width = colorColumns.length
    for (let channel = 0; channel < width; channel++) encoded[vertex * width + channel] = row[colorColumns[channel]!]!
  }
  const placed = positions instanceof Float64Array ? nearOrigin(positions) : { positions }
  return {
    ...placed,
    ...(hasNormals ? { normals } : {}),
    ...(channels ? { colors: linearColors(encoded, channels, rows.path) } : {}),
  }
}

function checkFinite(positions: Float32Array, path: string): Float32Array {
  for (let i = 0; i < positions.length; i++) {
    if (Number.isFinite(positions[i]!)) continue
    const vertex = Math.floor(i / 3)
    const [x, y, z] = positions.subarray(3 * vertex) as unknown as [number, number, number]
    throw new BadVertexError(path, vertex, [x, y, z])
  }
  return positions
}
