/** The box around what is shown of a THREE.Scene: by it, a scene without cameras is framed. three's own counts whatever has a geometry. */
import { Box3, InstancedMesh, Mesh, type Scene, SkinnedMesh } from 'three'
import { visitShown } from './geometry/import-meshes.ts'

/**
 * World matrices must be up to date.
 * @returns undefined if nothing is shown: invisible objects, points, lines and sprites are not
 */
export function boxOfShown(scene: Scene): Box3 | undefined {
  const all = new Box3()
  visitShown(scene, object => {
    if (object instanceof Mesh) all.union(boxOfMesh(object))
  })
  return all.isEmpty() ? undefined : all
}

/** Without its children, which may be invisible. */
function boxOfMesh(mesh: Mesh): Box3 {
  const shape = mesh instanceof InstancedMesh || mesh instanceof SkinnedMesh ? mesh : mesh.geometry
  if (!shape.boundingBox) shape.computeBoundingBox()
  return new Box3().copy(shape.boundingBox!).applyMatrix4(mesh.matrixWorld)
}
