/**
 * Reads PLY meshes, text or binary. three's PLYLoader is not used: it returns a mesh with holes for a truncated file,
 * silently drops polygons of more than four corners, and takes ten times as long for the text of a scan.
 */
import { BadIndexError, BadMeshError, BadVertexError, EmptySceneError, TruncatedMeshError } from '../errors.ts'
import type { FileMesh } from './mesh-file.ts'
import { nearOrigin } from './near-origin.ts'
import { readFloatColumns, readTriangles } from './ply-bulk.ts'
import { type PlyElement, type PlyHeader, type PlyProperty, parsePlyHeader } from './ply-header.ts'
import { type NumberSource, numbersOf } from './ply-numbers.ts'

/**
 * The mesh in `bytes`; polygons become triangle fans. `path` is only used in messages.
 * @throws BadMeshError, TruncatedMeshError, BadVertexError, BadIndexError, EmptySceneError
 */
export function readPly(bytes: Uint8Array, path: string): FileMesh {
  const header = parsePlyHeader(bytes, path)
  const vertexElement = header.elements.find(element => element.name === 'vertex')
  const faceElement = header.elements.find(element => element.name === 'face')
  const missing = AXES.find(axis => !vertexElement?.properties.some(property => property.name === axis))
  if (missing) throw new BadMeshError(path, `PLY header: expected an element vertex with x, y and z, got no ${missing}`)
  if (!faceElement?.count) throw new EmptySceneError(path, ': the PLY file has no faces')
  if (!faceElement.properties.some(isCorners))
    throw new BadMeshError(path, 'PLY header: expected the faces to have a list vertex_indices, got none')

  const body = bytes.subarray(header.bodyStart)
  checkPossible(header, body.length, path)
  const numbers = numbersOf(body, header.format)
  const rows = { header, numbers, path }
  let vertices: Vertices | undefined
  let indices: Uint32Array | undefined
  for (const element of header.elements) {
    if (element === vertexElement) vertices = readVertices(element, rows)
    else if (element === faceElement) indices = readFaces(element, vertexElement!.count, rows)
    else skip(element, rows)
    if (vertices && indices) break
  }
  if (!indices?.length) throw new EmptySceneError(path, ': no face has three corners')
  return { ...vertices!, indices, problems: problemsOf(header) }
}

/** Colours and textures in the file that are not used. */
function problemsOf({ elements, textures }: PlyHeader): string[] {
  const hasColors = (name: string) =>
    elements.some(element => element.name === name && element.properties.some(({ name }) => COLOR.test(name)))
  return [
    ...(hasColors('vertex') ? ['vertex colours are not supported, only a plain one'] : []),
    ...(hasColors('face') ? ['face colours are not supported, only a plain one'] : []),
    ...textures.map(name => `texture '${name}' is not supported, only a plain colour`),
  ]
}

interface Rows {
  readonly header: PlyHeader
  readonly numbers: NumberSource
  readonly path: string
}

type Vertices = Pick<FileMesh, 'positions' | 'offset' | 'normals'>

const COLOR = /^(diffuse_)?(red|green|blue)$|^[rgb]$/

const AXES = ['x', 'y', 'z']
const NORMAL_AXES = ['nx', 'ny', 'nz']

const isCorners = (property: PlyProperty): boolean =>
  property.countType !== undefined && (property.name === 'vertex_indices' || property.name === 'vertex_index')

function skip(element: PlyElement, rows: Rows): void {
  if (element.properties.length === 0) return // takes no bytes, whatever its count
  const ignored = new Float64Array(element.properties.length)
  for (let row = 0; row < element.count; row++) readRow(element, row, rows, ignored, undefined)
}

/** Rejects counts that do not fit in a file of this size, before allocating for them. */
function checkPossible({ elements, format }: PlyHeader, bodyBytes: number, path: string): void {
  for (const { name, count, properties } of elements) {
    const leastBytes = properties.length * (format === 'ascii' ? 2 : 1)
    if (count > 0 && count * leastBytes > bodyBytes + 1)
      throw new TruncatedMeshError(path, `${count} ${name} elements`, `only ${bodyBytes} bytes follow the header`)
  }
}

function readVertices(element: PlyElement, rows: Rows): Vertices {
  const names = [...AXES, ...NORMAL_AXES]
  const slots = element.properties.map(property => (property.countType ? -1 : names.indexOf(property.name)))
  const hasNormals = NORMAL_AXES.every((_, axis) => slots.includes(3 + axis))
  const { body } = rows.numbers
  const floats =
    body && !hasNormals
      ? readFloatColumns(
          element,
          AXES.map((_, slot) => slots.indexOf(slot)),
          body,
        )
      : undefined
  if (floats) return { positions: checkFinite(floats, rows.path) }
  const isExact = !body || AXES.some((_, axis) => element.properties[slots.indexOf(axis)]?.type === 'f64')
  const positions = new (isExact ? Float64Array : Float32Array)(element.count * 3)
  const normals = new Float32Array(hasNormals ? element.count * 3 : 0)
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
  }
  const placed = positions instanceof Float64Array ? nearOrigin(positions) : { positions }
  return hasNormals ? { ...placed, normals } : placed
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

function readFaces(element: PlyElement, vertices: number, rows: Rows): Uint32Array {
  const { body } = rows.numbers
  const triangles = body && element.properties.every(isCorners) && readTriangles(element, vertices, body)
  if (triangles) return triangles
  const ignored = new Float64Array(element.properties.length)
  const corners: number[] = []
  let indices = new Uint32Array(element.count * 3)
  let used = 0
  for (let face = 0; face < element.count; face++) {
    readRow(element, face, rows, ignored, corners)
    for (let corner = 0; corner < corners.length; corner++) {
      const index = corners[corner]!
      if (!(index >= 0 && index < vertices && Number.isInteger(index)))
        throw new BadIndexError(rows.path, face, index, `a vertex below ${vertices}`)
    }
    if (used + (corners.length - 2) * 3 > indices.length) {
      const grown = new Uint32Array(Math.max(indices.length * 2, used + corners.length * 3))
      grown.set(indices)
      indices = grown
    }
    for (let corner = 2; corner < corners.length; corner++) {
      indices[used++] = corners[0]!
      indices[used++] = corners[corner - 1]!
      indices[used++] = corners[corner]!
    }
  }
  return indices.subarray(0, used)
}

/** Reads one element: scalars into `out` by column, the vertex list (if requested) into `corners`. */
function readRow(
  element: PlyElement,
  row: number,
  { header, numbers, path }: Rows,
  out: Float64Array,
  corners: number[] | undefined,
): void {
  const { properties } = element
  for (let column = 0; column < properties.length; column++) {
    const property = properties[column]!
    if (property.countType === undefined) {
      out[column] = numbers.next(property.type)
      continue
    }
    const count = numbers.next(property.countType)
    if (count < 0 || (count > 0 && !Number.isInteger(count)))
      throw new BadMeshError(path, `${element.name} ${row}: expected the length of a list, got ${count}`)
    const kept = corners && isCorners(property) ? corners : undefined
    if (kept) kept.length = 0
    for (let item = 0; item < count && !numbers.ended; item++) {
      const value = numbers.next(property.type)
      if (kept) kept.push(value)
    }
  }
  if (numbers.badWord !== undefined)
    throw new BadMeshError(path, `${element.name} ${row}: expected a number, got '${numbers.badWord}'`)
  if (numbers.ended) {
    const promised = `${header.elements.map(({ name, count }) => `${count} ${name}`).join(' and ')} elements`
    throw new TruncatedMeshError(path, promised, `the file ends within ${element.name} ${row}`)
  }
}
