/** Checks how much a glTF document makes of its bytes: a small file can place a large mesh very often. */
import { MAX_OBJECTS } from '../../../shared/scene/look-schema.ts'
import { MAX_TRIANGLES } from '../../../shared/scene/packed-scene.ts'
import { BadMeshError } from '../../errors.ts'
import type { Gltf, GltfPrimitive } from './gltf-schema.ts'

/** Most triangles of all meshes together: more than any engine has memory for. */
export const MOST_TRIANGLES = 2 ** 26
/** Most of all instances: as many as can be numbered. */
export const MOST_DRAWN = MAX_TRIANGLES
/** Most objects of three: each takes six kilobytes, and some time. Instances of `EXT_mesh_gpu_instancing` take none. */
const MOST_THREE_OBJECTS = 2 ** 18

/** Most vertices of all morph targets, those of a mesh once for each node: all are added up for each frame. */
const MOST_MORPHED = 2 ** 28

/** Most joints of all skins together: each takes a matrix, and some time in every frame. */
const MOST_JOINTS = 2 ** 20

/** @throws BadMeshError */
export function checkSize({ nodes, meshes, skins, accessors }: Gltf, path: string): void {
  // Unused vertices are work, too.
  const countOf = ({ attributes, indices }: GltfPrimitive) =>
    Math.max(accessors[attributes.POSITION!]!.count, indices === undefined ? 0 : accessors[indices]!.count)
  const trianglesOf = meshes.map(({ primitives }) => primitives.reduce((sum, each) => sum + countOf(each) / 3, 0))
  const morphedOf = meshes.map(({ primitives }) =>
    primitives.reduce((sum, each) => sum + countOf(each) * (each.targets?.length ?? 0), 0),
  )
  const used = new Set(nodes.flatMap(({ mesh }) => mesh ?? []))
  const unique = [...used].reduce((sum, mesh) => sum + trianglesOf[mesh]!, 0)
  let [triangles, objects, instances, morphed] = [0, 0, 0, 0]
  for (const { mesh, extensions } of nodes) {
    if (mesh === undefined) continue
    const [first] = Object.values(extensions?.EXT_mesh_gpu_instancing?.attributes ?? {})
    const copies = first === undefined ? 1 : accessors[first]!.count
    const parts = meshes[mesh]!.primitives.length
    triangles += trianglesOf[mesh]! * copies
    instances += parts * copies
    morphed += morphedOf[mesh]!
    objects += parts
  }
  const refuse = (most: number, what: string, got: number, whose = 'nodes'): never => {
    throw new BadMeshError(path, `all ${whose} together: expected at most ${most} ${what}, got ${Math.ceil(got)}`)
  }
  if (unique > MOST_TRIANGLES) refuse(MOST_TRIANGLES, 'triangles', unique, 'meshes')
  if (triangles > MOST_DRAWN) refuse(MOST_DRAWN, 'triangles', triangles)
  if (objects > MOST_THREE_OBJECTS) refuse(MOST_THREE_OBJECTS, 'primitives of meshes', objects)
  if (morphed > MOST_MORPHED) refuse(MOST_MORPHED, 'vertices of morph targets', morphed)
  if (instances > MAX_OBJECTS) refuse(MAX_OBJECTS, 'instances', instances)
  const joints = skins.reduce((sum, skin) => sum + skin.joints.length, 0)
  if (joints > MOST_JOINTS)
    throw new BadMeshError(path, `all skins together: expected at most ${MOST_JOINTS} joints, got ${joints}`)
}
