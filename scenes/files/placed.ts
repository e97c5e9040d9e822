/**
 * Checks where the meshes of a file are: within what single precision holds. A matrix, of a node or of a joint, can send a finite vertex
 * to infinity.
 */
import { Box3, type BufferAttribute, type BufferGeometry, InstancedMesh, Matrix4, Mesh, type Object3D } from 'three'
import { BadMeshError, BadVertexError } from '../errors.ts'
import { instanceCount, instancePlaces } from '../import/instance-places.ts'
import { bareMesh, isPosable, isSkinned, Rig } from '../import/motion/pose.ts'
import { placeOf, placeStrayBones, Skeletons } from '../import/motion/skeletons.ts'

/**
 * World matrices must be up to date.
 * @returns the box around all that is visible, as it is posed; undefined for what is no more than a point: only what was added would show
 * @throws BadMeshError, BadVertexError
 */
export function checkPlaces(content: Object3D, path: string): Box3 | undefined {
  const [all, placed] = [new Box3(), new Box3()]
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
    const isVisible = visible.has(object)
    for (let instance = 0; instance < instanceCount(object); instance++) {
      const matrix = places(instance)
      if (!isWithinFloats(box, matrix)) {
        const which = object instanceof InstancedMesh ? `mesh '${name}', instance ${instance}` : `mesh '${name}'`
        throw new BadMeshError(path, `${which}: expected a place that is finite in single precision, got none`)
      }
      if (isVisible) all.union(placed.copy(box).applyMatrix4(matrix))
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

/** Written for a million instances: without lists. */
function isWithinFloats({ min, max }: Box3, { elements: m }: Matrix4): boolean {
  const x = Math.max(Math.abs(min.x), Math.abs(max.x))
  const y = Math.max(Math.abs(min.y), Math.abs(max.y))
  const z = Math.max(Math.abs(min.z), Math.abs(max.z))
  for (let row = 0; row < 3; row++) {
    const a = Math.abs(m[row]!)
    const b = Math.abs(m[row + 4]!)
    const c = Math.abs(m[row + 8]!)
    if (!(a * x + b * y + c * z + Math.abs(m[row + 12]!) <= MOST && Math.max(a, b, c) <= MOST)) return false
  }
  return true
}
