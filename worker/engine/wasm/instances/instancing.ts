/**
 * Which meshes get a tree of their own, entered through instances, and which instances are baked to triangles of the scene. The picture is
 * the same; so this is a matter of memory and time. Baked triangles are traced faster, up to twice, and take about 130 bytes each, and twice
 * that while they are built; an instance takes 288 bytes. So instancing begins where it saves a lot.
 */
import { areApart, inverseTransposed } from '../../../../shared/scene/bake.ts'
import {
  type Instance,
  offsetOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
} from '../../../../shared/scene/description.ts'
import { askedLight } from '../light/emission-cells.ts'
import { mediaOf, WITH_ONE } from '../light/media.ts'
import { letsThrough } from '../materials.ts'

/** Where instancing begins, in triangles. */
export interface InstancingRule {
  /** That it must save in the whole scene. */
  readonly saved: number
  /** That it must save of a mesh. */
  readonly savedOfMesh: number
}

/** About 70 MB, and a second of building on one core. */
export const INSTANCING: InstancingRule = { saved: 1 << 19, savedOfMesh: 1 << 12 }

/** Every mesh that can be instanced is, or none. */
export const ALL_INSTANCES: InstancingRule = { saved: 0, savedOfMesh: 0 }
export const NO_INSTANCES: InstancingRule = { saved: Number.POSITIVE_INFINITY, savedOfMesh: Number.POSITIVE_INFINITY }

/** Meshes of fewer triangles take less memory if they are baked. */
const FEWEST_TRIANGLES = 4

/** How much the lengths of vectors may differ after a transform of vectors of one length: margins grow with it. */
const MOST_STRETCH = 1e6

/** A mesh that is instanced. Shadow rays must know what lets light through, so its instances agree in that, slot by slot. */
export interface InstancedMesh {
  readonly mesh: number
  readonly clear: readonly boolean[]
}

export interface Instancing {
  readonly meshes: readonly InstancedMesh[]
  /** For each instance of the scene, which of them it is; -1 if it is baked. */
  readonly meshOf: Int32Array
}

type Scene = Pick<SceneDescription, 'meshes' | 'instances' | 'materials'>

/** Undefined if everything is baked. */
export function instancingOf(scene: Scene, rule = INSTANCING): Instancing | undefined {
  const { meshes, instances } = scene
  const triangles = meshes.map(({ indices }) => indices.length / 3)
  // Most scenes have nothing to save, and are not looked at any closer.
  if (mostSaved(instances, triangles) < rule.saved) return undefined
  const groups = groupsOf(scene, triangles)
  const savedBy = ({ mesh, members }: Group) => triangles[mesh]! * (members.length - 1)
  const chosen = groups.filter(group => savedBy(group) > 0 && savedBy(group) >= rule.savedOfMesh)
  const saved = chosen.reduce((sum, group) => sum + savedBy(group), 0)
  if (saved === 0 || saved < rule.saved) return undefined
  const meshOf = new Int32Array(instances.length).fill(-1)
  chosen.forEach(({ members }, number) => {
    for (const instance of members) meshOf[instance] = number
  })
  return { meshes: chosen.map(({ mesh, clear }) => ({ mesh, clear })), meshOf }
}

/** Triangles that are there more than once. */
function mostSaved(instances: readonly Instance[], triangles: readonly number[]): number {
  const seen = new Set<number>()
  let saved = 0
  for (const { mesh } of instances) {
    if (seen.has(mesh)) saved += triangles[mesh]!
    seen.add(mesh)
  }
  return saved
}

interface Group extends InstancedMesh {
  /** Numbers of instances. */
  readonly members: number[]
}

/** Instances that could share a tree. */
function groupsOf({ meshes, instances, materials }: Scene, triangles: readonly number[]): Group[] {
  const clear = materials.map(letsThrough)
  // Lights are chosen by triangle, and where solids touch is known of triangles: they need baked ones.
  const media = mediaOf(materials)
  const baked = materials.map(
    (material, i) => askedLight(material) > 0 || (media.list.length > WITH_ONE && media.numbers[i]! > 0),
  )
  const fit = meshes.map((mesh, i) => triangles[i]! >= FEWEST_TRIANGLES && hasTriangle(mesh) && hasNormals(mesh))
  const groups = new Map<string, Group>()
  for (const [i, { mesh, transform, materials: slots }] of instances.entries()) {
    if (!fit[mesh] || slots.some(slot => baked[slot]) || !isOrdinary(transform)) continue
    const pattern = slots.map(slot => clear[slot]!)
    const key = `${mesh} ${pattern.map(Number).join('')}`
    const group = groups.get(key) ?? { mesh, clear: pattern, members: [] }
    groups.set(key, group)
    group.members.push(i)
  }
  return [...groups.values()]
}

/** Whether any triangle is put in a tree. */
function hasTriangle({ vertices, attributes, indices }: SceneMesh): boolean {
  const step = strideOf(attributes)
  for (let at = 0; at < indices.length; at += 3)
    if (areApart(vertices, indices[at]! * step, indices[at + 1]! * step, indices[at + 2]! * step)) return true
  return false
}

/** Whether every vertex has a normal. Those that have none are given the mean of their triangles', wherever these are. */
function hasNormals(mesh: SceneMesh): boolean {
  const offset = offsetOf(mesh, 'normal')
  if (offset === undefined) return false
  const { vertices } = mesh
  const step = strideOf(mesh.attributes)
  for (let at = offset; at < vertices.length; at += step)
    if (vertices[at] === 0 && vertices[at + 1] === 0 && vertices[at + 2] === 0) return false
  return true
}

/** Whether a transform has an inverse that does not lose the precision of doubles. */
function isOrdinary(transform: readonly number[]): boolean {
  let forth = 0
  for (let k = 0; k < 12; k++) if (k % 4 !== 3) forth = Math.max(forth, Math.abs(transform[k]!))
  const back = Math.max(...inverseTransposed(transform).map(Math.abs))
  return back > 0 && forth * back < MOST_STRETCH
}
