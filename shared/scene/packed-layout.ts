/**
 * The packed scene: everything that a tracer needs of a scene, in one buffer that is put into shared memory unchanged.
 * Little-endian:
 *
 *     u32 magic 'SFSC' | u32 version | u32 jsonBytes | u32 totalBytes | JSON head | pad to 16 | sections, each padded to 16
 *
 * The JSON head contains materials, sky, sun and the sections' offsets and lengths. Reading a packed scene only creates views and
 * copies no array. It is sent in parts, whose list names the scene across the cluster (`manifest.ts`).
 *
 * Values are validated when a scene is packed or received (`packed-scene.ts`), and only then: a tracing thread trusts what it
 * is given.
 */
import { SortfirstError } from '../errors.ts'
import type { Material, Sky, Sun } from './material.ts'

/** Geometry and surroundings before packing; also the result of reading a packed scene (then views of its buffer). */
export interface SceneData {
  /** xyz per vertex, world space, scene units, finite. */
  readonly positions: Float32Array
  /** xyz per vertex, unit shading normals; zeros if there is none: the triangle's own normal is used. */
  readonly normals: Float32Array
  /** Three vertex numbers per triangle, counter-clockwise seen from outside. */
  readonly indices: Uint32Array
  /** Index into `materials` per triangle. */
  readonly materialIds: Uint16Array
  /** At least one, at most 65536. */
  readonly materials: readonly Material[]
  readonly sky: Sky
  readonly sun: Sun
}

/** Scene data whose arrays are views of `bytes`. */
export interface PackedScene extends SceneData {
  readonly bytes: Uint8Array
}

export const triangleCount = (scene: SceneData): number => scene.indices.length / 3

/** The bytes are not a packed scene, or are inconsistent. */
export class PackedSceneError extends SortfirstError {
  readonly code = 'BAD_PACKED_SCENE'
  constructor(problem: string) {
    super(`packed scene: ${problem}`)
  }
}

const MAGIC = 0x43534653 // 'SFSC' read as little-endian u32
const VERSION = 1
const HEADER_BYTES = 16

/** Position of an array: offset in bytes from the start, a multiple of 16, and length in elements. */
export interface Section {
  readonly offset: number
  readonly length: number
}

export interface PackedHead extends Pick<SceneData, 'materials' | 'sky' | 'sun'> {
  readonly positions: Section
  readonly normals: Section
  readonly indices: Section
  readonly materialIds: Section
}

/** Writes a scene into a new zeroed buffer from `allocate`. */
export function layOut(scene: SceneData, allocate: (bytes: number) => Uint8Array): Uint8Array {
  const { positions, normals, indices, materialIds, materials, sky, sun } = scene
  const arrays = [positions, normals, indices, materialIds]
  // The offsets in the head depend on the head's length: lay it out once with the widest possible offsets.
  const headOf = (starts: readonly number[]) => {
    const [atPositions, atNormals, atIndices, atMaterialIds] = starts as [number, number, number, number]
    const head: PackedHead = {
      positions: { offset: atPositions, length: positions.length },
      normals: { offset: atNormals, length: normals.length },
      indices: { offset: atIndices, length: indices.length },
      materialIds: { offset: atMaterialIds, length: materialIds.length },
      ...{ materials, sky, sun },
    }
    return new TextEncoder().encode(JSON.stringify(head))
  }
  let end = align16(HEADER_BYTES + headOf(arrays.map(() => 0xfffffff0)).length)
  const starts = arrays.map(array => {
    const start = end
    end = align16(end + array.byteLength)
    return start
  })
  const head = headOf(starts)
  const bytes = allocate(end)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  header.setUint32(0, MAGIC, true)
  header.setUint32(4, VERSION, true)
  header.setUint32(8, head.length, true)
  header.setUint32(12, end, true)
  bytes.set(head, HEADER_BYTES)
  arrays.forEach((array, i) => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), starts[i]!)
  })
  return bytes
}

/** Size of the packed scene that begins at the start of some bytes, as its header declares. */
export const packedBytes = ({ buffer, byteOffset }: Uint8Array): number =>
  new DataView(buffer, byteOffset, HEADER_BYTES).getUint32(12, true)

/**
 * Views of a packed scene. The buffer (plain or shared) is borrowed for the scene's lifetime and must start at a multiple of 16.
 *
 * @param checked validates the parsed JSON head
 * @throws PackedSceneError if the bytes cannot be a packed scene
 */
export function viewsOf(bytes: Uint8Array, checked = (head: unknown): PackedHead => head as PackedHead): PackedScene {
  if (bytes.byteOffset % 16 !== 0) throw new PackedSceneError('starts at an address that is not a multiple of 16')
  if (bytes.length < HEADER_BYTES)
    throw new PackedSceneError(`expected at least ${HEADER_BYTES} bytes, got ${bytes.length}`)
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  if (header.getUint32(0, true) !== MAGIC) throw new PackedSceneError("does not begin with 'SFSC'")
  const version = header.getUint32(4, true)
  if (version !== VERSION) throw new PackedSceneError(`expected version ${VERSION}, got ${version}`)
  const headBytes = header.getUint32(8, true)
  const totalBytes = header.getUint32(12, true)
  if (totalBytes !== bytes.length) throw new PackedSceneError(`declares ${totalBytes} bytes, got ${bytes.length}`)
  if (HEADER_BYTES + headBytes > bytes.length) throw new PackedSceneError('head is longer than the buffer')
  const head = checked(parsed(bytes.slice(HEADER_BYTES, HEADER_BYTES + headBytes)))

  const view = <T>(
    name: string,
    at: Section,
    Type: { new (b: ArrayBufferLike, o: number, n: number): T; BYTES_PER_ELEMENT: number },
  ): T => {
    if (at.offset < HEADER_BYTES + headBytes || at.offset + at.length * Type.BYTES_PER_ELEMENT > bytes.length)
      throw new PackedSceneError(`section ${name} lies outside the buffer`)
    return new Type(bytes.buffer, bytes.byteOffset + at.offset, at.length)
  }
  return {
    bytes,
    positions: view('positions', head.positions, Float32Array),
    normals: view('normals', head.normals, Float32Array),
    indices: view('indices', head.indices, Uint32Array),
    materialIds: view('materialIds', head.materialIds, Uint16Array),
    materials: head.materials,
    sky: head.sky,
    sun: head.sun,
  }
}

function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(json))
  } catch {
    throw new PackedSceneError('head is not JSON')
  }
}

const align16 = (n: number): number => (n + 15) & ~15
