/**
 * Reads PLY meshes, text or binary. three's PLYLoader is not used: it returns a mesh with holes for a truncated file,
 * silently drops polygons of more than four corners, and takes ten times as long for the text of a scan.
 */
import { BadMeshError, EmptySceneError, TruncatedMeshError } from '../../errors.ts'
import type { FileMesh } from '../mesh-file.ts'
import { isColorName } from './ply-colors.ts'
import { readFaces, readStrips } from './ply-faces.ts'
import { type PlyElement, type PlyHeader, type PlyProperty, parsePlyHeader } from './ply-header.ts'
import { numbersOf } from './ply-numbers.ts'
import { isCorners, longRows, skipRows } from './ply-rows.ts'
import { AXES, readVertices, type Vertices } from './ply-vertices.ts'

/**
 * The mesh in `bytes`; polygons become triangle fans, strips triangles. `path` is only used in messages.
 * @throws BadMeshError, TruncatedMeshError, BadVertexError, BadIndexError, EmptySceneError
 */
export function readPly(bytes: Uint8Array, path: string): FileMesh {
  const header = parsePlyHeader(bytes, path)
  const vertexElement = header.elements.find(element => element.name === 'vertex')
  const isAxis = (property: PlyProperty, axis: string) => property.name === axis && property.countType === undefined
  const missing = AXES.find(axis => !vertexElement?.properties.some(property => isAxis(property, axis)))
  if (missing) throw new BadMeshError(path, `PLY header: expected an element vertex with x, y and z, got no ${missing}`)
  const surfaces = header.elements.filter(({ name, count }) => Object.hasOwn(SURFACES, name) && count > 0)
  if (surfaces.length === 0) throw new EmptySceneError(path, ': the PLY file has no faces')
  const cornerless = surfaces.find(({ properties }) => !properties.some(isCorners))
  if (cornerless) {
    const what = SURFACES[cornerless.name as Surface]
    throw new BadMeshError(path, `PLY header: expected the ${what} to have a list vertex_indices, got none`)
  }

  const body = bytes.subarray(header.bodyStart)
  checkPossible(header, body.length, path)
  const rows = { header, numbers: numbersOf(body, header.format), path, bytes }
  let vertices: Vertices | undefined
  const parts: Uint32Array[] = []
  for (const element of header.elements) {
    if (element === vertexElement) vertices = readVertices(element, rows)
    else if (!surfaces.includes(element)) skipRows(element, rows)
    else parts.push((element.name === 'face' ? readFaces : readStrips)(element, vertexElement!.count, rows))
    if (vertices && parts.length === surfaces.length) break
  }
  const indices = joined(parts)
  if (indices.length === 0) throw new EmptySceneError(path, ': no face has three corners')
  return { ...vertices!, indices, problems: [...longRows(rows), ...problemsOf(header, vertices!)] }
}

/** Elements that have triangles, as messages call them. */
const SURFACES = { face: 'faces', tristrips: 'tristrips' } as const
type Surface = keyof typeof SURFACES

function joined(parts: readonly Uint32Array[]): Uint32Array {
  if (parts.length === 1) return parts[0]!
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Colours and textures in the file that are not used. */
function problemsOf({ elements, textures }: PlyHeader, { colors }: Vertices): string[] {
  const hasColors = ({ properties }: PlyElement) => properties.some(({ name }) => isColorName(name))
  const some = (name: string) => elements.some(element => element.name === name && hasColors(element))
  return [
    ...(!colors && some('vertex') ? ['vertex colours were ignored: expected red, green and blue, got only some'] : []),
    ...(colors && isTranslucent(colors) ? ['the opacity of vertex colours is not supported'] : []),
    ...(Object.keys(SURFACES).some(some) ? ['face colours are not supported, only a plain one'] : []),
    ...textures.map(name => `texture '${name}' is not supported, only a plain colour`),
  ]
}

function isTranslucent(colors: Float32Array): boolean {
  for (let at = 3; at < colors.length; at += 4) if (colors[at]! < 1) return true
  return false
}

/** Rejects counts that do not fit in a file of this size, before allocating for them. */
function checkPossible({ elements, format }: PlyHeader, bodyBytes: number, path: string): void {
  for (const { name, count, properties } of elements) {
    const leastBytes = properties.length * (format === 'ascii' ? 2 : 1)
    if (count > 0 && count * leastBytes > bodyBytes + 1)
      throw new TruncatedMeshError(path, `${count} ${name} elements`, `only ${bodyBytes} bytes follow the header`)
  }
}
