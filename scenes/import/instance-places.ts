/** Where the instances of a mesh are. */
import { InstancedMesh, Matrix4, type Mesh } from 'three'
import { isSkinned } from './motion/pose.ts'

export const instanceCount = (mesh: Mesh): number => (mesh instanceof InstancedMesh ? mesh.count : 1)

/**
 * What places each instance in the world. A skinned instance stands where it does relative to its node, as in three.js and other shaders:
 * node × instance × node⁻¹ × what joints make of it.
 * @param place of the mesh in its pose, without instances
 * @returns a function of their numbers, whose result is overwritten by the next one
 */
export function instancePlaces(mesh: Mesh, place: Matrix4): (instance: number) => Matrix4 {
  if (!(mesh instanceof InstancedMesh)) return () => place
  const [matrix, before, after] = [new Matrix4(), new Matrix4(), new Matrix4()]
  if (isSkinned(mesh)) {
    // A node that flattens space has no inverse: its instances then stand in the world.
    if (mesh.matrixWorld.determinant() !== 0) {
      before.copy(mesh.matrixWorld)
      after.copy(before).invert()
    }
    after.multiply(place)
  } else before.copy(place)
  return instance => {
    mesh.getMatrixAt(instance, matrix)
    return matrix.premultiply(before).multiply(after)
  }
}
