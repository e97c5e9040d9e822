/** Collects what a THREE.Scene draws: which triangles of which geometry, where, in which material. */
import { Color, InstancedMesh, type LOD, type Material, Matrix4, Mesh, type Object3D, type Scene, Texture } from 'three'
import type { Instance, SceneMesh, VertexAttribute } from '../../../shared/scene/description.ts'
import { SceneMeshError } from '../../errors.ts'
import { isAdded } from '../../look/added.ts'
import { instanceCount, instancePlaces } from '../instance-places.ts'
import type { MaterialTable } from '../materials/map-material.ts'
import { MAPS, texturesOf } from '../materials/map-textures.ts'
import { isPosable, isSkinned } from '../motion/pose.ts'
import { type JointMemo, placeOf, placeStrayBones, Skeletons } from '../motion/skeletons.ts'
import { NameTable } from '../scene-names.ts'
import { IgnoredObjects } from '../unmet-objects.ts'
import type { CornerRange } from './import-geometry.ts'
import { type Prepared, PreparedMeshes } from './prepared-meshes.ts'
import type { TangentWish } from './tangents.ts'
import { isTinted } from './vertex-colors.ts'

export interface PlacedMeshes {
  readonly meshes: readonly SceneMesh[]
  /** In scene graph order, in world coordinates. */
  readonly instances: readonly PlacedInstance[]
  /** Of the instances, for messages: `mesh 'wheel'`. */
  readonly names: readonly string[]
  /** Numbers of the instances that are not a file's own. */
  readonly added: readonly number[]
}

/** One that can still be moved. */
export interface PlacedInstance extends Instance {
  readonly transform: number[]
}

/** What is kept from one import of a scene to the next. */
export class MeshMemo {
  readonly prepared = new PreparedMeshes()
  readonly joints: JointMemo = new WeakMap()
}

/** World matrices must be up to date; problems are appended. @throws SceneMeshError */
export function importMeshes(
  scene: Scene,
  table: MaterialTable,
  problems: string[],
  memo: MeshMemo = new MeshMemo(),
  names = new NameTable(),
): PlacedMeshes {
  const collector = new Collector(table, problems, memo, mesh => names.objectOf(mesh, scene))
  const ignored = new IgnoredObjects()
  const found: Mesh[] = []
  visitShown(scene, object => {
    if (!ignored.add(object) && object instanceof Mesh) found.push(object)
  })
  placeStrayBones(scene, found.filter(isSkinned))
  for (const mesh of found) collector.add(mesh)
  problems.push(...ignored.problems())
  return collector
}

/**
 * Visits what is not invisible. Of an object with levels of detail, the finest is shown, unless the scene has chosen one itself.
 * @param isShown whether an object and what belongs to it are visited
 */
export function visitShown(
  object: Object3D,
  visit: (object: Object3D) => void,
  isShown = ({ visible }: Object3D): boolean => visible,
): void {
  if (!isShown(object)) return
  visit(object)
  const [finest, ...coarser] = isLevelled(object) ? object.levels.map(level => level.object) : []
  const isChosen = coarser.some(({ visible }) => visible !== finest?.visible)
  for (const child of object.children) if (isChosen || !coarser.includes(child)) visitShown(child, visit, isShown)
}

class Collector implements PlacedMeshes {
  readonly meshes: SceneMesh[] = []
  readonly instances: PlacedInstance[] = []
  readonly names: string[] = []
  readonly added: number[] = []
  readonly #table: MaterialTable
  readonly #problems: string[]
  readonly #prepared: PreparedMeshes
  readonly #skeletons: Skeletons
  readonly #objectOf: (mesh: Mesh) => number
  /** Numbers of the meshes, posed ones left out. */
  readonly #numbers = new Map<Prepared, number>()
  #visited = 0

  constructor(
    table: MaterialTable,
    problems: string[],
    { prepared, joints }: MeshMemo,
    objectOf: (mesh: Mesh) => number,
  ) {
    this.#objectOf = objectOf
    this.#table = table
    this.#problems = problems
    this.#prepared = prepared
    this.#skeletons = new Skeletons(joints)
    prepared.begin()
  }

  add(mesh: Mesh): void {
    const name = mesh.name ? `mesh '${mesh.name}'` : `mesh ${this.#visited} (unnamed)`
    this.#visited++
    if (isBatched(mesh)) {
      this.#problems.push(`${name} was ignored: batched meshes are not supported`)
      return
    }
    if (!mesh.layers.isEnabled(0)) this.#problems.push(`${name} is shown: layers are not supported`)
    if ('isInstancedBufferGeometry' in mesh.geometry)
      this.#problems.push(`${name} is shown once: instanced geometries are not supported, instanced meshes are`)
    if (mesh instanceof InstancedMesh && mesh.morphTexture)
      this.#problems.push(`${name} is shown with instances of one shape: morphs of single instances are not supported`)
    if (!mesh.geometry.hasAttribute('position')) throw new SceneMeshError(name, 'expected positions, got none')
    const { ranges, slots } = drawn(mesh)
    if (ranges.length === 0) return
    const { number, matrixWorld } = this.#posed(mesh, this.#prepare(mesh, ranges, slots, name), name)
    const added = isAdded(mesh)
    const materialsFor = (tint?: Color) => slots.map(material => this.#table.numberOf(material, name, tint))
    // Shared by instances of one colour: there may be a million of them.
    const plain = isTintedEach(mesh) ? undefined : materialsFor()
    const places = instancePlaces(mesh, matrixWorld)
    const object = this.#objectOf(mesh)
    const tint = new Color()
    for (let instance = 0; instance < instanceCount(mesh); instance++) {
      if (isTintedEach(mesh)) mesh.getColorAt(instance, tint)
      if (added) this.added.push(this.instances.length)
      const transform = rowsOf(places(instance))
      // One would also move the centre of all others.
      if (!transform.every(Number.isFinite))
        throw new SceneMeshError(
          mesh instanceof InstancedMesh ? `${name}, instance ${instance}` : name,
          'expected a finite world matrix, got one that is not',
        )
      this.instances.push({ mesh: number, transform, materials: plain ?? materialsFor(tint), object })
      this.names.push(name)
    }
  }

  /** The number of a mesh in its pose, and what places that in the world. */
  #posed(mesh: Mesh, prepared: Prepared, name: string): { number: number; matrixWorld: Matrix4 } {
    const { matrixWorld } = mesh
    if (isSkinned(mesh)) {
      const stray = prepared.rig(name).strayJoint(mesh.skeleton.bones.length)
      if (stray) {
        const { vertex, joint } = stray
        throw new SceneMeshError(
          name,
          `vertex ${vertex}: expected joints below ${mesh.skeleton.bones.length}, got ${joint}`,
        )
      }
      const place = placeOf(mesh)
      // Which way triangles face is the mesh's own matter, in glTF and in three, wherever its joints are.
      const turned = isMirror(matrixWorld) !== isMirror(place)
      const posed = this.#prepared.posed(mesh, prepared, this.#skeletons.matricesOf(mesh), turned, name)
      place.multiply(new Matrix4().makeTranslation(...posed.offset))
      return { number: this.meshes.push(posed.mesh) - 1, matrixWorld: place }
    }
    if (isPosable(mesh) && mesh.morphTargetInfluences!.some(influence => influence !== 0))
      return {
        number: this.meshes.push(this.#prepared.posed(mesh, prepared, undefined, false, name).mesh) - 1,
        matrixWorld,
      }
    const known = this.#numbers.get(prepared)
    const number = known ?? this.meshes.push(prepared.mesh) - 1
    if (known === undefined) this.#numbers.set(prepared, number)
    return { number, matrixWorld }
  }

  #prepare(mesh: Mesh, ranges: readonly CornerRange[], slots: readonly Material[], name: string): Prepared {
    const materials = listOf(mesh.material)
    const facetted = materials.length > 0 && materials.every(isFlat)
    const reversed = materials.length > 0 && materials.every(({ side }) => side === BACK_SIDE)
    const tinted = isTinted(mesh, slots, name, this.#problems)
    const wish = wishFor(materials, facetted)
    const wanted = attributesFor(materials, wish !== undefined)
    const drawn = { ranges, slotCount: slots.length, facetted, reversed, tinted, wanted }
    return this.#prepared.of(mesh.geometry, drawn, wish, name)
  }
}

const isTintedEach = (mesh: Mesh): mesh is InstancedMesh => mesh instanceof InstancedMesh && Boolean(mesh.instanceColor)

const isMirror = (matrix: Matrix4): boolean => matrix.determinant() < 0

const BACK_SIDE = 1

/** What the materials' textures will be looked up with. */
function attributesFor(materials: readonly Material[], tangents: boolean): VertexAttribute[] {
  const channels = materials.flatMap(material =>
    texturesOf(material).flatMap(([key, { channel }]) => (key in MAPS ? [channel] : [])),
  )
  return [
    ...(tangents ? (['tangent'] as const) : []),
    ...(channels.includes(0) ? (['uv'] as const) : []),
    ...(channels.includes(1) ? (['uv2'] as const) : []),
  ]
}

/** What tangents are to follow, of materials that need any: the first texture of directions. */
function wishFor(materials: readonly Material[], facetted: boolean): TangentWish | undefined {
  const values = (key: string): unknown[] =>
    materials.map(material => (material as unknown as Record<string, unknown>)[key])
  for (const texture of ['normalMap', 'clearcoatNormalMap', 'anisotropyMap'].flatMap(values))
    if (texture instanceof Texture) return { channel: texture.channel, flipped: texture.flipY, facetted }
  return values('anisotropy').some(strength => Number(strength) > 0)
    ? { channel: 0, flipped: false, facetted }
    : undefined
}

const isFlat = (material: Material): boolean => 'flatShading' in material && material.flatShading === true

// By its name: the class would be loaded for every scene.
const isLevelled = (object: Object3D): object is LOD => 'isLOD' in object

const isBatched = (object: Object3D): boolean => 'isBatchedMesh' in object

/** A list may have holes, which draw nothing. */
const listOf = (material: Material | Material[]): readonly Material[] => [material].flat().filter(Boolean)

/** The drawn parts of a mesh: its groups (if it has several materials) within its draw range, whole triangles; and their materials. */
function drawn({ material, geometry }: Mesh): { ranges: CornerRange[]; slots: Material[] } {
  const corners = geometry.index?.count ?? geometry.getAttribute('position').count
  const first = Math.max(0, geometry.drawRange.start)
  const end = Math.min(corners, first + geometry.drawRange.count)
  const groups = Array.isArray(material) ? geometry.groups : [{ start: 0, count: corners, materialIndex: 0 }]
  const slots: Material[] = []
  const numbers = new Map<number, number>()
  const ranges: CornerRange[] = []
  for (const { start: from, count: corners, materialIndex = 0 } of groups) {
    const chosen = Array.isArray(material) ? material[materialIndex] : material
    const start = Math.max(first, from)
    const count = Math.floor((Math.min(end, from + corners) - start) / 3) * 3
    if (!chosen?.visible || count <= 0) continue
    if (!numbers.has(materialIndex)) numbers.set(materialIndex, slots.push(chosen) - 1)
    ranges.push({ start, count, slot: numbers.get(materialIndex)! })
  }
  return { ranges, slots }
}

function rowsOf({ elements: m }: Matrix4): number[] {
  return [m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]]
}
