/**
 * Skins and morph targets, in the pose in which the file has them: their vertices are moved once, and what is left are plain meshes.
 */
import { BufferAttribute, type BufferGeometry, Group, Mesh, Object3D, SkinnedMesh, Vector3 } from 'three'
import { BadMeshError } from '../errors.ts'

/** Most vertices of all posed meshes: each is stored on its own, also where nodes share one. */
const MOST_VERTICES = 2 ** 25

/** Changes all skinned and morphed meshes of a scene that has no parent. @throws BadMeshError */
export function applyPoses(scene: Object3D, path: string): void {
  scene.updateMatrixWorld(true)
  const found: Mesh[] = []
  scene.traverse(object => {
    if (object instanceof SkinnedMesh || (object instanceof Mesh && isMorphed(object))) found.push(object)
  })
  const vertices = found.reduce((sum, { geometry }) => sum + geometry.getAttribute('position').count, 0)
  if (vertices > MOST_VERTICES)
    throw new BadMeshError(
      path,
      `expected at most ${MOST_VERTICES} vertices with skins or morph targets, got ${vertices}`,
    )
  placeBones(found)
  for (const mesh of found) {
    if (mesh instanceof SkinnedMesh) {
      if (mesh.skeleton) scene.add(inWorld(mesh, path))
      else mesh.parent!.add(Object3D.prototype.copy.call(new Mesh(mesh.geometry, mesh.material), mesh, false))
      standIn(mesh)
    } else {
      mesh.geometry = posed(mesh)
      mesh.morphTargetInfluences = []
    }
  }
}

/** Also those that are not in the scene. Each way up is gone once: there may be a great many bones, far down. */
function placeBones(meshes: readonly Mesh[]): void {
  const roots = new Map<Object3D, Object3D>()
  const skeletons = new Set(meshes.flatMap(mesh => (mesh instanceof SkinnedMesh && mesh.skeleton ? mesh.skeleton : [])))
  for (const { bones } of skeletons)
    for (const bone of bones) {
      const way: Object3D[] = []
      let at: Object3D = bone
      for (; at.parent && !roots.has(at); at = at.parent) way.push(at)
      const root = roots.get(at) ?? at
      for (const each of way) roots.set(each, root)
      roots.set(root, root)
    }
  for (const root of new Set(roots.values())) root.updateMatrixWorld(true)
}

const isMorphed = ({ morphTargetInfluences: influences }: Mesh): boolean =>
  influences?.some(influence => influence !== 0) === true

/** Joints place a skin in the world; the transform of its own node does not count. */
function inWorld(mesh: SkinnedMesh, path: string): Mesh {
  const { skeleton, geometry } = mesh
  const [index, weight] = [geometry.getAttribute('skinIndex'), geometry.getAttribute('skinWeight')]
  for (let vertex = 0; vertex < index.count; vertex++)
    for (let i = 0; i < 4; i++)
      if (weight.getComponent(vertex, i) !== 0 && index.getComponent(vertex, i) >= skeleton.bones.length)
        throw new BadMeshError(
          path,
          `mesh '${mesh.name}', vertex ${vertex}: expected joints below ${skeleton.bones.length}, got ${index.getComponent(vertex, i)}`,
        )
  mesh.bindMatrixInverse.identity()
  const still = new Mesh(posed(mesh), mesh.material)
  still.name = mesh.name
  return still
}

/** A group in its place, for its children. */
function standIn(mesh: Mesh): void {
  const group = new Group()
  Object3D.prototype.copy.call(group, mesh, false)
  for (const child of [...mesh.children]) group.add(child)
  mesh.parent!.add(group)
  mesh.removeFromParent()
}

function posed(mesh: Mesh): BufferGeometry {
  const { geometry } = mesh
  const still = geometry.clone()
  still.morphAttributes = {}
  for (const name of ['skinIndex', 'skinWeight']) still.deleteAttribute(name)
  const position = geometry.getAttribute('position')
  const normal = geometry.hasAttribute('normal') ? geometry.getAttribute('normal') : undefined
  const positions = new Float32Array(position.count * 3)
  const normals = new Float32Array(normal ? positions.length : 0)
  const [at, along] = [new Vector3(), new Vector3()]
  for (let vertex = 0; vertex < position.count; vertex++) {
    mesh.getVertexPosition(vertex, at)
    at.toArray(positions, vertex * 3)
    if (!normal) continue
    along.fromBufferAttribute(normal, vertex)
    if (mesh instanceof SkinnedMesh) {
      // A direction turns like the difference of two points. Joints hardly ever have different scales along their axes.
      const from = mesh.applyBoneTransform(vertex, new Vector3())
      mesh.applyBoneTransform(vertex, along).sub(from)
    }
    along.toArray(normals, vertex * 3)
  }
  still.setAttribute('position', new BufferAttribute(positions, 3))
  if (normal) still.setAttribute('normal', new BufferAttribute(normals, 3))
  return still
}
