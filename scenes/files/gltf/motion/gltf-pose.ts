/** Checks what moves the vertices of a glTF file's meshes, once for all times. */
import type { Mesh } from 'three'
import { BadMeshError } from '../../../errors.ts'
import { isPosable, isSkinned, Rig } from '../../../import/motion/pose.ts'

/** Most vertices of all meshes that may be posed: each is stored on its own, also where nodes share one. */
const MOST_VERTICES = 2 ** 25

/** @throws BadMeshError */
export function checkPoses(meshes: readonly Mesh[], path: string): void {
  const posed = meshes.filter(isPosable)
  const vertices = posed.reduce((sum, { geometry }) => sum + geometry.getAttribute('position').count, 0)
  if (vertices > MOST_VERTICES)
    throw new BadMeshError(
      path,
      `expected at most ${MOST_VERTICES} vertices with skins or morph targets, got ${vertices}`,
    )
  const checked = new Map<object, Map<number, Mesh>>()
  for (const mesh of posed.filter(isSkinned)) {
    const { bones } = mesh.skeleton
    const known = checked.get(mesh.geometry) ?? new Map<number, Mesh>()
    checked.set(mesh.geometry, known.set(bones.length, mesh))
  }
  for (const byNumber of checked.values()) {
    const fewest = Math.min(...byNumber.keys())
    const { geometry, name } = byNumber.get(fewest)!
    const stray = new Rig(geometry, undefined, geometry.getAttribute('position').count, name).strayJoint(fewest)
    if (stray)
      throw new BadMeshError(
        path,
        `mesh '${name}', vertex ${stray.vertex}: expected joints below ${fewest}, got ${stray.joint}`,
      )
  }
}
