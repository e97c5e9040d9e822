/**
 * Reads STL meshes, binary or text. three's STLLoader is not used: it misreads text with NaN in it, and reports broken
 * facets only on the console. The normals in the file are ignored, because many programs write zeros or worse.
 */
import { BadMeshError, BadVertexError, EmptySceneError, TruncatedMeshError } from '../errors.ts'
import type { FileMesh } from './mesh-file.ts'
import { nearOrigin } from './near-origin.ts'
import { NumberList } from './number-list.ts'
import { linesOf } from './text-lines.ts'

/**
 * The mesh in `bytes`, three vertices per triangle. `path` is only used in messages.
 * @throws BadMeshError, TruncatedMeshError, BadVertexError, EmptySceneError
 */
export function readStl(bytes: Uint8Array, path: string): FileMesh {
  const coordinates = isText(bytes) ? readText(bytes, path) : readBinary(bytes, path)
  if (coordinates.length === 0) throw new EmptySceneError(path)
  for (let i = 0; i < coordinates.length; i++)
    if (!Number.isFinite(Math.fround(coordinates[i]!))) {
      const vertex = Math.floor(i / 3)
      throw new BadVertexError(
        path,
        vertex,
        [0, 1, 2].map(axis => coordinates[vertex * 3 + axis]!),
      )
    }
  return coordinates instanceof Float32Array ? { positions: coordinates } : nearOrigin(coordinates)
}

// 80 bytes of anything | u32 triangles | per triangle: f32 normal[3], f32 corner[3][3], u16 attribute
const COUNT_AT = 80
const HEADER_BYTES = 84
const TRIANGLE_BYTES = 50
const NORMAL_BYTES = 12

/** Binary files may begin with 'solid' too: the length decides, then whether the beginning mentions facets. */
function isText(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= HEADER_BYTES && HEADER_BYTES + view.getUint32(COUNT_AT, true) * TRIANGLE_BYTES === bytes.length)
    return false
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  return /^\W{0,5}solid\b/i.test(start) && !start.includes('\0')
}

function readBinary(bytes: Uint8Array, path: string): Float32Array {
  if (bytes.length < HEADER_BYTES)
    throw new BadMeshError(
      path,
      `is not an STL file: expected text that begins with 'solid' or at least ${HEADER_BYTES} bytes, got ${bytes.length}`,
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const triangles = view.getUint32(COUNT_AT, true)
  const room = Math.floor((bytes.length - HEADER_BYTES) / TRIANGLE_BYTES)
  if (triangles > room) throw new TruncatedMeshError(path, `${triangles} triangles`, `there is room for ${room}`)
  const positions = new Float32Array(triangles * 9)
  for (let triangle = 0; triangle < triangles; triangle++) {
    const at = HEADER_BYTES + triangle * TRIANGLE_BYTES + NORMAL_BYTES
    for (let i = 0; i < 9; i++) positions[triangle * 9 + i] = view.getFloat32(at + i * 4, true)
  }
  return positions
}

/** In double precision: text can be more precise than a float. */
function readText(bytes: Uint8Array, path: string): Float64Array {
  const numbers = new NumberList()
  let corners = 0
  let facets = 0
  let open = 0
  for (const line of linesOf(new TextDecoder('latin1').decode(bytes))) {
    // The longest line has four numbers.
    const words = line.trim().slice(0, LONGEST_LINE).split(/\s+/)
    switch (words[0]!.toLowerCase()) {
      case 'vertex':
        numbers.push(...readCorner(words, numbers.length / 3, path))
        // At once: a file may have nothing but corners.
        if (++corners > 3) throw new BadMeshError(path, `facet ${facets}: expected three corners, got more`)
        break
      case 'facet':
        corners = 0
        break
      case 'endfacet':
        if (corners !== 3) throw new BadMeshError(path, `facet ${facets}: expected three corners, got ${corners}`)
        facets++
        break
      case 'endsolid':
        open--
        break
      case 'outer':
      case 'endloop':
      case '':
        break
      default:
        // Other characters may precede the first word of the first line, such as a byte-order mark.
        if (!/^\W*solid$/i.test(words[0]!))
          throw new BadMeshError(path, `expected a line of text STL, got '${line.trim().slice(0, 60)}'`)
        open++
    }
  }
  if (open > 0) throw new TruncatedMeshError(path, "a line 'endsolid'", `the file ends after ${facets} facets`)
  return numbers.all()
}

const LONGEST_LINE = 1000

function readCorner(words: readonly string[], vertex: number, path: string): [number, number, number] {
  const got = words.slice(1)
  const numbers = got.map(word => (/^[+-]?(inf|infinity)$/i.test(word) ? Number.POSITIVE_INFINITY : Number(word)))
  if (numbers.length !== 3 || got.some((word, i) => Number.isNaN(numbers[i]) && !/^[+-]?nan/i.test(word)))
    throw new BadMeshError(path, `vertex ${vertex}: expected three numbers, got '${got.join(' ').slice(0, 60)}'`)
  return numbers as [number, number, number]
}
