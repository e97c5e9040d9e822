/**
 * Checks where the meshes of a file are: within what single precision holds. A matrix, of a node or of a joint, can send a finite vertex
 * to infinity.
 */
import { Box3, type BufferAttribute, type BufferGeometry, InstancedMesh, Matrix4, Mesh, type Object3D } from 'three'
import { BadMeshError, BadVertexError } from '../errors.ts'
import { instanceCount, instancePlaces } from '../instance-places.ts'
import { bareMesh, isPosable, isSkinned, Rig } from '../pose.ts'
import { placeOf, placeStrayBones, Skeletons } from '../skeletons.ts'

/**
 * World matrices must be up to date.
 * @returns the box around all that is visible, as it is posed; undefined for what is no more than a point: only what was added would show
 * @throws BadMeshError, BadVertexError
 */
export function checkPlaces(content: Object3D, path: string): Box3 | undefined {
  const all = new Box3()
  const meshes: Mesh[] = []
  content.traverse(object => {
    if (object instanceof Mesh) meshes.push(object)
  })
  const visible = new Set<Object3D>()
  content.traverseVisible(object => visible.add(object))
  const shapes = new Shapes(content, meshes, path)
  for (const object of meshes) {
    const { name } = object
    const { box, place } = shapes.of(object)
    const places = instancePlaces(object, place)
    for (let instance = 0; instance < instanceCount(object); instance++) {
      const matrix = places(instance)
      if (!isWithinFloats(box, matrix)) {
        const which = object instanceof InstancedMesh ? `mesh '${name}', instance ${instance}` : `mesh '${name}'`
        throw new BadMeshError(path, `${which}: expected a place that is finite in single precision, got none`)
      }
      if (visible.has(object)) all.union(box.clone().applyMatrix4(matrix))
    }
  }
  return all.isEmpty() || all.min.equals(all.max) ? undefined : all
}

/** Boxes of meshes in their pose. */
class Shapes {
  readonly #path: string
  readonly #skeletons = new Skeletons(new WeakMap())
  readonly #rigs = new Map<BufferGeometry, Rig>()
  readonly #boxes = new Map<BufferGeometry, Box3>()

  constructor(content: Object3D, meshes: readonly Mesh[], path: string) {
    this.#path = path
    placeStrayBones(content, meshes.filter(isSkinned))
  }

  /** A box, and what places it in the world. */
  of(mesh: Mesh): { readonly box: Box3; readonly place: Matrix4 } {
    const { geometry, morphTargetInfluences = [], matrixWorld, name } = mesh
    const joints = isSkinned(mesh) ? this.#skeletons.matricesOf(mesh) : undefined
    if (!isPosable(mesh) || !(joints || morphTargetInfluences.some(influence => influence !== 0))) {
      const box =
        this.#boxes.get(geometry) ??
        new Box3().setFromBufferAttribute(geometry.getAttribute('position') as BufferAttribute)
      this.#boxes.set(geometry, box)
      return { box, place: matrixWorld }
    }
    const { count } = geometry.getAttribute('position')
    const rig = this.#rigs.get(geometry) ?? new Rig(geometry, undefined, count, name)
    this.#rigs.set(geometry, rig)
    const { vertices, offset } = rig.pose(bareMesh(geometry), morphTargetInfluences, joints)
    const bad = vertices.findIndex(value => !Number.isFinite(value))
    if (bad >= 0) {
      const vertex = Math.floor(bad / 3)
      throw new BadVertexError(
        this.#path,
        vertex,
        [...vertices.subarray(vertex * 3, vertex * 3 + 3)],
        `mesh '${name}' in its pose`,
      )
    }
    const place = isSkinned(mesh) ? placeOf(mesh).multiply(new Matrix4().makeTranslation(...offset)) : matrixWorld
    return { box: new Box3().setFromArray(vertices), place }
  }
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
