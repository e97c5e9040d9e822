/** Trusted packed scenes: a scene that is packed or received is validated here once and trusted from then on. */
import * as z from 'zod'
import {
  layOut,
  type PackedHead,
  type PackedScene,
  PackedSceneError,
  type SceneData,
  viewsOf,
} from './packed-layout.ts'

/**
 * Light is added up in exact saturating sums, which are independent of the order as long as nothing is negative and no
 * product of colours overflows.
 */
const share = z.number().min(0).max(1)
const radiance = z.number().min(0).max(1e12)
const color = z.tuple([share, share, share])
const light = z.tuple([radiance, radiance, radiance])
/** How far the squared length of a unit vector may be from 1. */
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

/**
 * Packs a scene into a new zeroed buffer from `allocate`.
 * @throws PackedSceneError if the arrays contradict each other
 */
export const packScene = (
  scene: SceneData,
  allocate: (bytes: number) => Uint8Array = bytes => new Uint8Array(bytes),
): PackedScene => readPackedScene(layOut(scene, allocate))

/**
 * Views of a packed scene, which is fully validated because it may come from the network.
 * @throws PackedSceneError
 */
export function readPackedScene(bytes: Uint8Array): PackedScene {
  const scene = viewsOf(bytes, checkedHead)
  checkArrays(scene)
  return scene
}

function checkedHead(json: unknown): PackedHead {
  const head = headSchema.safeParse(json)
  if (!head.success) throw new PackedSceneError(`head: ${z.prettifyError(head.error).split('\n')[0]}`)
  return head.data
}

/** Checks what tracers rely on, so that their inner loops need no checks. */
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
