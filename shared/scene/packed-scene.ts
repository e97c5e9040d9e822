/**
 * The packed scene: everything a tracer needs of a scene in one buffer that goes into shared memory unchanged. Little-endian:
 *
 *     u32 magic 'SFSC' | u32 version | u32 jsonBytes | u32 totalBytes | JSON head | pad to 16 | sections, each padded to 16
 *
 * The JSON head holds materials, sky, sun and the sections' offsets and lengths. Views are taken in place: reading a
 * packed scene copies nothing. Over the wire it goes in parts, whose list names the scene across the cluster (`manifest.ts`).
 */
import * as z from 'zod'
import { SortfirstError } from '../errors.ts'
import type { Material, Sky, Sun } from './material.ts'

/** Geometry and surroundings before packing; also what reading a packed scene gives back (then views on its buffer). */
export interface SceneData {
  /** xyz per vertex, world space, scene units, finite. */
  readonly positions: Float32Array
  /** xyz per vertex, unit shading normals; zeros where there is none, and triangles lend their own. */
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

/** Scene data whose arrays are views on `bytes`. */
export interface PackedScene extends SceneData {
  readonly bytes: Uint8Array
}

/** The bytes are no packed scene, or one that contradicts itself. */
export class PackedSceneError extends SortfirstError {
  readonly code = 'BAD_PACKED_SCENE'
  constructor(problem: string) {
    super(`packed scene: ${problem}`)
  }
}

const MAGIC = 0x43534653 // 'SFSC' read as little-endian u32
const VERSION = 1
const HEADER_BYTES = 16

/**
 * Light is added up in exact sums that stop at a bound, which depend on no order as long as nothing is negative and no
 * product of colours overflows.
 */
const share = z.number().min(0).max(1)
const radiance = z.number().min(0).max(1e12)
const color = z.tuple([share, share, share])
const light = z.tuple([radiance, radiance, radiance])
/** How far the square of a unit vector's length may be from 1. */
const UNIT_TOLERANCE = 1e-3
const unit = z
  .tuple([z.number(), z.number(), z.number()])
  .refine(([x, y, z]) => isUnit(x, y, z), 'expected a unit vector')
const section = z.object({ offset: z.int().nonnegative().multipleOf(16), length: z.int().nonnegative() })
const headSchema = z.object({
  positions: section,
  normals: section,
  indices: section,
  materialIds: section,
  materials: z
    .array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('matte'), color }),
        z.object({ kind: z.literal('coated'), color, ior: z.number().min(1).max(4) }),
        z.object({ kind: z.literal('mirror'), color }),
        z.object({ kind: z.literal('glass'), color, ior: z.number().min(1).max(4) }),
      ]),
    )
    .min(1)
    .max(65536),
  sky: z.object({ zenith: light, horizon: light, ground: light }),
  sun: z.object({ direction: unit, irradiance: light }),
})

export const triangleCount = (scene: SceneData): number => scene.indices.length / 3

/**
 * Packs a scene into a buffer of its own, all zeros, that `allocate` makes.
 * @throws PackedSceneError when the arrays contradict each other
 */
export function packScene(
  scene: SceneData,
  allocate: (bytes: number) => Uint8Array = bytes => new Uint8Array(bytes),
): PackedScene {
  const arrays = [scene.positions, scene.normals, scene.indices, scene.materialIds]
  // Offsets are written into the head whose length moves them: lay the head out once with the widest offsets possible.
  const headOf = (starts: readonly number[]) =>
    new TextEncoder().encode(
      JSON.stringify({
        positions: { offset: starts[0], length: scene.positions.length },
        normals: { offset: starts[1], length: scene.normals.length },
        indices: { offset: starts[2], length: scene.indices.length },
        materialIds: { offset: starts[3], length: scene.materialIds.length },
        materials: scene.materials,
        sky: scene.sky,
        sun: scene.sun,
      }),
    )
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
  return readPackedScene(bytes)
}

/**
 * Views on a packed scene. The buffer (plain or shared) is borrowed for the scene's life and must start at a multiple
 * of 16; nothing in it is believed before it is checked, because it may come from the network.
 * @throws PackedSceneError
 */
export function readPackedScene(bytes: Uint8Array): PackedScene {
  if (bytes.byteOffset % 16 !== 0) throw new PackedSceneError('starts at an address that is no multiple of 16')
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
  const head = parseHead(bytes.slice(HEADER_BYTES, HEADER_BYTES + headBytes))

  const view = <T>(
    name: string,
    at: { offset: number; length: number },
    Type: { new (b: ArrayBufferLike, o: number, n: number): T; BYTES_PER_ELEMENT: number },
  ): T => {
    if (at.offset < HEADER_BYTES + headBytes || at.offset + at.length * Type.BYTES_PER_ELEMENT > bytes.length)
      throw new PackedSceneError(`section ${name} lies outside the buffer`)
    return new Type(bytes.buffer, bytes.byteOffset + at.offset, at.length)
  }
  const scene: PackedScene = {
    bytes,
    positions: view('positions', head.positions, Float32Array),
    normals: view('normals', head.normals, Float32Array),
    indices: view('indices', head.indices, Uint32Array),
    materialIds: view('materialIds', head.materialIds, Uint16Array),
    materials: head.materials,
    sky: head.sky,
    sun: head.sun,
  }
  checkArrays(scene)
  return scene
}

function parseHead(json: Uint8Array): z.infer<typeof headSchema> {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(json))
  } catch {
    throw new PackedSceneError('head is not JSON')
  }
  const head = headSchema.safeParse(parsed)
  if (!head.success) throw new PackedSceneError(`head: ${z.prettifyError(head.error).split('\n')[0]}`)
  return head.data
}

/** What a tracer relies on so that its inner loops need no checks. */
function checkArrays({ positions, normals, indices, materialIds, materials }: SceneData): void {
  const vertices = positions.length / 3
  if (indices.length === 0) throw new PackedSceneError('expected at least one triangle, got none')
  if (!Number.isInteger(vertices) || normals.length !== positions.length)
    throw new PackedSceneError(`${positions.length} position and ${normals.length} normal coordinates do not pair`)
  if (materialIds.length * 3 !== indices.length)
    throw new PackedSceneError(`${materialIds.length} material ids for ${indices.length / 3} triangles`)
  for (let i = 0; i < positions.length; i++)
    if (!Number.isFinite(positions[i]!)) throw new PackedSceneError(`vertex ${Math.floor(i / 3)} is not finite`)
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!]
    if (!isUnit(x, y, z) && (x !== 0 || y !== 0 || z !== 0))
      throw new PackedSceneError(`the normal of vertex ${i / 3} is ${x}, ${y}, ${z}: expected a unit vector, or zeros`)
  }
  for (let i = 0; i < indices.length; i++)
    if (indices[i]! >= vertices)
      throw new PackedSceneError(`triangle ${Math.floor(i / 3)} names vertex ${indices[i]} of ${vertices}`)
  for (let i = 0; i < materialIds.length; i++)
    if (materialIds[i]! >= materials.length)
      throw new PackedSceneError(`triangle ${i} names material ${materialIds[i]} of ${materials.length}`)
}

const isUnit = (x: number, y: number, z: number): boolean => Math.abs(x * x + y * y + z * z - 1) <= UNIT_TOLERANCE

const align16 = (n: number): number => (n + 15) & ~15
