/**
 * A THREE.Scene as plain data (`shared/scene/description.ts`), ready to be packed and sent to the workers. A mesh of a million
 * triangles creates no object per triangle, and a geometry that several meshes share is stored once.
 */
import { MeshStandardMaterial, type Scene } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { countWithArea, placeVertices } from '../../shared/scene/bake.ts'
import { centreOf } from '../../shared/scene/centre.ts'
import {
  elementsOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  type Transform,
} from '../../shared/scene/description.ts'
import { boxOf } from '../../shared/scene/mesh-box.ts'
import { instanceOfNothing, NOTHING } from '../../shared/scene/nothing.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'
import { EmptySceneError, SceneMeshError } from '../errors.ts'
import { importMeshes, type PlacedMeshes } from './geometry/import-meshes.ts'
import { type CountedInstances, ImportMemo } from './import-memo.ts'
import { mapLighting } from './lights/map-light.ts'
import { MaterialTable } from './materials/map-material.ts'
import { unmetInScene } from './unmet-objects.ts'

export interface ImportedScene {
  readonly description: SceneDescription
  /** Triangles of all instances, and those of them without area, which nothing can hit. If that is all of them, the scene shows none. */
  readonly triangles: number
  readonly degenerate: number
  /** What the scene asks for but does not get, one sentence each. */
  readonly problems: readonly string[]
  /** Numbers of the instances that sortfirst added to a file's own. */
  readonly added: readonly number[]
  /** Of its objects and materials. */
  readonly names: SceneNames
}

/**
 * Imports all that is visible, in the pose of its skeletons and morph targets. Changes only the world matrices of the scene and of
 * bones outside of it.
 * @param memo of earlier imports of this scene: a geometry or texture that has changed since must say that it needs an update
 * @throws SceneMeshError for a vertex that is not finite or an index without a vertex, SceneLightError; EmptySceneError, unless the memo
 * is of a scene that may be empty for a while: it then shows only what surrounds it, and its lamps
 */
export function importThree(scene: Scene, memo: ImportMemo = new ImportMemo()): ImportedScene {
  scene.updateMatrixWorld(true)
  const problems: string[] = []
  const { names } = memo
  names.fill(scene)
  const table = new MaterialTable(problems, memo.textures, names)
  const placed = importMeshes(scene, table, problems, memo.meshes, names)
  table.tellUnused()
  problems.push(...unmetInScene(scene))
  memo.centre ??= placed.instances.length === 0 && memo.whenEmpty ? memo.whenEmpty : centreOfMeshes(placed)
  const { centre } = memo
  const { instances } = placed
  for (const { transform } of instances) for (const axis of [0, 1, 2] as const) transform[axis * 4 + 3]! -= centre[axis]
  const { triangles, degenerate } = countTriangles(placed, memo)
  const isEmpty = triangles === degenerate
  if (isEmpty && !memo.whenEmpty) throw new EmptySceneError('scene', triangles ? ': all have zero area' : '')
  return {
    description: {
      ...(isEmpty ? nothing(table) : { meshes: placed.meshes, instances }),
      materials: table.materials,
      textures: table.textures,
      ...mapLighting(scene, centre, problems, memo.environments),
      centre,
    },
    triangles,
    degenerate,
    problems,
    added: isEmpty ? [0] : placed.added,
    names: { objects: names.objects, materials: names.materials },
  }
}

/** Of what is flattened, not even the vertices are left: they would count as covering pixels. */
const nothing = (table: MaterialTable): Pick<SceneDescription, 'meshes' | 'instances'> => ({
  meshes: [NOTHING],
  instances: [instanceOfNothing(0, table.numberOf(new MeshStandardMaterial(), 'nothing'))],
})

/** The origin for the scene's coordinates, from the box around the boxes of all instances. */
function centreOfMeshes({ meshes, instances }: PlacedMeshes): Vec3 {
  const boxes = meshes.map(middleAndHalf)
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (const { mesh, transform } of instances) {
    const { middle, half } = boxes[mesh]!
    for (let axis = 0; axis < 3; axis++) {
      const a = transform[axis * 4]!
      const b = transform[axis * 4 + 1]!
      const c = transform[axis * 4 + 2]!
      const d = transform[axis * 4 + 3]!
      const at = a * middle[0]! + b * middle[1]! + c * middle[2]! + d
      const reach = Math.abs(a) * half[0]! + Math.abs(b) * half[1]! + Math.abs(c) * half[2]!
      min[axis] = Math.min(min[axis]!, at - reach)
      max[axis] = Math.max(max[axis]!, at + reach)
    }
  }
  return centreOf(min, max)
}

/** The box of a mesh: its middle, and half its sides. */
function middleAndHalf({ vertices, attributes }: SceneMesh): {
  readonly middle: readonly number[]
  readonly half: readonly number[]
} {
  const box = boxOf(vertices, strideOf(attributes))
  return {
    middle: [0, 1, 2].map(axis => (box[axis]! + box[axis + 3]!) / 2),
    half: [0, 1, 2].map(axis => (box[axis + 3]! - box[axis]!) / 2),
  }
}

/** Of a mesh that stands in more places than this, the others are taken to have as many triangles with area as the last of these. */
const MOST_PLACED = 64

/** Places instances as workers will. @throws SceneMeshError for a vertex that single precision cannot hold */
function countTriangles(
  { meshes, instances, names }: PlacedMeshes,
  memo: ImportMemo,
): { triangles: number; degenerate: number } {
  const most = meshes.reduce(
    (most, { vertices, attributes }) => Math.max(most, vertices.length / strideOf(attributes)),
    0,
  )
  const positions = new Float32Array(most * 3)
  const withArea = new Uint32Array(instances.length)
  const before = memo.counted
  const counted = meshes.map(mesh => ({ times: 0, withArea: 0, box: middleAndHalf(mesh) }))
  let triangles = 0
  let degenerate = 0
  instances.forEach(({ mesh: number, transform }, i) => {
    const mesh = meshes[number]!
    const known = counted[number]!
    if (before && isAsBefore(before, i, mesh, transform)) withArea[i] = before.withArea[i]!
    else if (known.times >= MOST_PLACED && isOrdinary(transform, known.box)) withArea[i] = known.withArea
    else {
      placeVertices(mesh, transform, positions)
      checkFinite(mesh, positions, names[i]!)
      withArea[i] = countWithArea(mesh, positions)
      if (isOrdinary(transform, known.box)) {
        known.times++
        known.withArea = withArea[i]!
      }
    }
    triangles += mesh.indices.length / 3
    degenerate += mesh.indices.length / 3 - withArea[i]!
  })
  memo.counted = { meshes, instances, withArea }
  return { triangles, degenerate }
}

/** Whether a transform keeps areas apart from zero, and everything in a box well within single precision. */
function isOrdinary(transform: Transform, { middle, half }: ReturnType<typeof middleAndHalf>): boolean {
  const [xx, xy, xz, , yx, yy, yz, , zx, zy, zz] = elementsOf(transform)
  let largest = 0
  for (const element of [xx, xy, xz, yx, yy, yz, zx, zy, zz]) largest = Math.max(largest, Math.abs(element))
  const volume = xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx)
  if (!(Math.abs(volume) > LEAST_VOLUME * largest ** 3)) return false
  for (let axis = 0; axis < 3; axis++) {
    let far = Math.abs(transform[axis * 4 + 3]!)
    for (let k = 0; k < 3; k++) far += Math.abs(transform[axis * 4 + k]!) * (Math.abs(middle[k]!) + half[k]!)
    if (!(far < FARTHEST)) return false
  }
  return true
}

function isAsBefore(
  { meshes, instances }: CountedInstances,
  number: number,
  mesh: SceneMesh,
  transform: Transform,
): boolean {
  const before = instances[number]
  return before !== undefined && meshes[before.mesh] === mesh && before.transform.every((at, i) => at === transform[i])
}

function checkFinite(mesh: SceneMesh, positions: Float32Array, name: string): void {
  const stride = strideOf(mesh.attributes)
  for (let vertex = 0; vertex < mesh.vertices.length / stride; vertex++) {
    const at = vertex * 3
    // ∞ − ∞ and NaN − NaN are not 0.
    const sum = Math.abs(positions[at]!) + Math.abs(positions[at + 1]!) + Math.abs(positions[at + 2]!)
    if (sum - sum !== 0) throw notFinite(name, vertex, positions.subarray(at, at + 3))
  }
}

/** Least volume of a transformed cube, for sides of one length. */
const LEAST_VOLUME = 1e-6
const FARTHEST = 1e38

const notFinite = (mesh: string, vertex: number, got: Iterable<number>): SceneMeshError =>
  new SceneMeshError(mesh, `vertex ${vertex}: expected a finite position in the world, got ${[...got].join(' ')}`)
