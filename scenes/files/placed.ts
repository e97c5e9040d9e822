/** Checks where the meshes of a file are: within what single precision holds. A matrix can send a finite vertex to infinity. */
import { Box3, InstancedMesh, Matrix4, Mesh, type Object3D } from 'three'
import { BadMeshError, EmptySceneError } from '../errors.ts'

/** World matrices must be up to date. @throws BadMeshError, EmptySceneError for meshes that are no more than a point together */
export function checkPlaces(content: Object3D, path: string): void {
  const all = new Box3()
  const matrix = new Matrix4()
  content.traverse(object => {
    if (!(object instanceof Mesh)) return
    const { geometry, matrixWorld, name } = object
    geometry.computeBoundingBox()
    const own = geometry.boundingBox!
    const isInstanced = object instanceof InstancedMesh
    for (let instance = 0; instance < (isInstanced ? object.count : 1); instance++) {
      if (isInstanced) object.getMatrixAt(instance, matrix)
      else matrix.identity()
      matrix.premultiply(matrixWorld)
      if (!isWithinFloats(own, matrix)) {
        const which = isInstanced ? `mesh '${name}', instance ${instance}` : `mesh '${name}'`
        throw new BadMeshError(path, `${which}: expected a place that is finite in single precision, got none`)
      }
      all.union(own.clone().applyMatrix4(matrix))
    }
  })
  // Of meshes that are scaled to nothing, only what was added would show.
  if (all.isEmpty() || all.min.equals(all.max)) throw new EmptySceneError(path, ': all have zero area')
}

/** With some to spare: centres are added and subtracted later. */
const MOST = 1e38

function isWithinFloats({ min, max }: Box3, { elements }: Matrix4): boolean {
  const reach = (axis: 'x' | 'y' | 'z') => Math.max(Math.abs(min[axis]), Math.abs(max[axis]))
  const [x, y, z] = [reach('x'), reach('y'), reach('z')]
  return [0, 1, 2].every(row => {
    const [a, b, c, d] = [0, 4, 8, 12].map(column => Math.abs(elements[column + row]!)) as [
      number,
      number,
      number,
      number,
    ]
    return a * x + b * y + c * z + d <= MOST && Math.max(a, b, c) <= MOST
  })
}
