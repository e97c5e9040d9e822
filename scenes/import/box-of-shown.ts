/** The box around what is shown of a THREE.Scene: by it, a scene without cameras is framed. three's own counts whatever has a geometry. */
import { Box3, InstancedMesh, Mesh, type Object3D, type Scene, SkinnedMesh } from 'three'
import { visitShown } from './geometry/import-meshes.ts'

/**
 * World matrices must be up to date.
 * @param seen meshes that are left out; those that are in the box are added
 * @returns undefined if nothing is shown: invisible objects, points, lines and sprites are not
 */
export function boxOfShown(scene: Scene, seen = new Set<Object3D>()): Box3 | undefined {
  const all = new Box3()
  visitShown(scene, object => {
    if (!(object instanceof Mesh) || seen.has(object)) return
    seen.add(object)
    all.union(boxOfMesh(object))
  })
  return all.isEmpty() ? undefined : all
}

/** Whether there is a mesh that is invisible now; coarser levels of detail are none. */
export function hasHidden(scene: Scene): boolean {
  let hidden = 0
  const counting = (by: number) => (object: Object3D) => {
    if (object instanceof Mesh) hidden += by
  }
  visitShown(scene, counting(1), () => true)
  visitShown(scene, counting(-1))
  return hidden > 0
}

/** Without its children, which may be invisible. */
function boxOfMesh(mesh: Mesh): Box3 {
  const isPosed = mesh instanceof InstancedMesh || mesh instanceof SkinnedMesh
  const shape = isPosed ? mesh : mesh.geometry
  // That of a geometry is kept up to date by who changes it, as three.js has it; instances and bones move without a word.
  if (isPosed || !shape.boundingBox) shape.computeBoundingBox()
  return new Box3().copy(shape.boundingBox!).applyMatrix4(mesh.matrixWorld)
}
