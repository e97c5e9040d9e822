/** Writes meshes that are instanced and their instances to the kernel's memory (`records/instances.ts`). */
import {
  areApart,
  inverseTransposed,
  mirrors,
  NORMAL_AT,
  type Triangles,
  VERTEX_FLOATS,
} from '../../../../shared/scene/bake.ts'
import { bakeColors, bakeCoordinates } from '../../../../shared/scene/bake-extras.ts'
import {
  offsetOf,
  type SceneDescription,
  type SceneMesh,
  strideOf,
  vertexCount,
} from '../../../../shared/scene/description.ts'
import { putTriangle } from '../../../../shared/scene/triangle-bits.ts'
import type { KernelMemory } from '../memory.ts'
import { put, putHeader } from '../records/access.ts'
import { INSTANCE, MATERIAL_SLOT, RUN, TANGENT_FLOATS, TREE } from '../records/instances.ts'
import { MATERIAL } from '../records/material.ts'
import { CORNER, SLOT } from '../records/mesh.ts'
import type { Instancing } from './instancing.ts'
import { boxesOf, placeBoxes } from './mesh-boxes.ts'

/** Room for what follows, by address. */
export interface InstancePlaces {
  readonly instances: number
  readonly trees: number
  readonly runs: number
  /** Lists of materials. */
  readonly slots: number
  /** Present if any mesh has tangents. */
  readonly tangents: number | undefined
  readonly materials: number
}

type Scene = Pick<SceneDescription, 'meshes' | 'instances'>

/** Bytes of each. */
export function instanceSizes({ meshes, instances }: Scene, { meshes: instanced, meshOf }: Instancing) {
  const used = meshOf.filter(mesh => mesh >= 0)
  const vertices = instanced.reduce((sum, { mesh }) => sum + vertexCount(meshes[mesh]!), 0)
  return {
    instances: used.length * INSTANCE.bytes,
    trees: instanced.length * TREE.bytes,
    // A run begins where an instance that is baked follows one that is not.
    runs: (meshOf.length - used.length) * RUN.bytes,
    slots: instances.reduce(
      (sum, { materials }, i) => sum + (meshOf[i]! >= 0 ? materials.length * MATERIAL_SLOT.bytes : 0),
      0,
    ),
    // Where any mesh has some, the kernel reads those of all.
    tangents: meshes.some(({ attributes }) => attributes.includes('tangent')) ? vertices * TANGENT_FLOATS.bytes : 0,
  }
}

/** Numbers of the vertices and triangles of meshes that are instanced. */
export const instancedSize = ({ meshes }: Scene, { meshes: instanced }: Instancing) => ({
  vertices: instanced.reduce((sum, { mesh }) => sum + vertexCount(meshes[mesh]!), 0),
  triangles: instanced.reduce((sum, { mesh }) => sum + meshes[mesh]!.indices.length / 3, 0),
})

/** What has been written before: the next vertex, and for each instance that is baked how many triangles there are with it. */
export interface BakedPart {
  readonly vertices: number
  readonly ends: Uint32Array
}

/**
 * Appends the meshes to the baked triangles, and writes all else.
 * @returns how many triangles there are in memory
 */
export function putInstances(
  memory: KernelMemory,
  scene: Scene,
  instancing: Instancing,
  into: Triangles,
  places: InstancePlaces,
  { vertices, ends }: BakedPart,
): number {
  const baked = ends.at(-1) ?? 0
  let vertex = vertices
  let triangle = baked
  const firsts: number[] = []
  instancing.meshes.forEach(({ mesh: number, clear }, i) => {
    const mesh = scene.meshes[number]!
    putVertices(mesh, into, vertex)
    if (places.tangents !== undefined) {
      const from = places.tangents + (vertex - vertices) * TANGENT_FLOATS.bytes
      putTangents(mesh, memory.floats, from >>> 2)
    }
    firsts.push(triangle)
    const first = triangle
    triangle = putTriangles(mesh, clear, into, vertex, first)
    put(memory, TREE, places.trees + i * TREE.bytes, { first, end: triangle })
    vertex += vertexCount(mesh)
  })
  firsts.push(triangle)
  const { trees, instances, runs, tangents } = places
  putHeader(memory, { trees, treeCount: instancing.meshes.length, instances, runs })
  if (tangents !== undefined) putHeader(memory, { meshTangents: tangents - vertices * TANGENT_FLOATS.bytes })
  const counts = putRecords(memory, scene, instancing, places, { ends, firsts })
  putHeader(memory, { instanceCount: counts.instances, runCount: counts.runs })
  return triangle
}

/** Vertices in the mesh's coordinates. */
function putVertices(mesh: SceneMesh, into: Triangles, first: number): void {
  const { vertices, attributes } = mesh
  const step = strideOf(attributes)
  const normal = offsetOf(mesh, 'normal')!
  for (let from = 0, to = first * VERTEX_FLOATS; from < vertices.length; from += step, to += VERTEX_FLOATS) {
    for (let k = 0; k < 3; k++) into.vertices[to + k] = vertices[from + k]!
    for (let k = 0; k < 3; k++) into.vertices[to + NORMAL_AT + k] = vertices[from + normal + k]!
  }
  const { color, uv, uv2 } = into.extras ?? {}
  if (color) bakeColors(mesh, color, first)
  if (uv) bakeCoordinates(mesh, 'uv', uv, first)
  if (uv2) bakeCoordinates(mesh, 'uv2', uv2, first)
}

/** Zeros where it has none. */
function putTangents(mesh: SceneMesh, floats: Float32Array, at: number): void {
  const offset = offsetOf(mesh, 'tangent')
  const { vertices } = mesh
  if (offset === undefined) {
    floats.fill(0, at, at + vertexCount(mesh) * 4)
    return
  }
  const step = strideOf(mesh.attributes)
  for (let from = offset, to = at; from < vertices.length; from += step, to += 4)
    for (let k = 0; k < 4; k++) floats[to + k] = vertices[from + k]!
}

/** Triangles that may have area where they are placed. Returns the number of the first one after them. */
function putTriangles(
  { indices, slots }: SceneMesh,
  clear: readonly boolean[],
  { vertices, corners, bits }: Triangles,
  vertex: number,
  first: number,
): number {
  let next = first
  for (let from = 0, slot = 0; from < indices.length; from += 3, slot++) {
    const [a, b, c] = [vertex + indices[from]!, vertex + indices[from + 1]!, vertex + indices[from + 2]!]
    if (!areApart(vertices, a * VERTEX_FLOATS, b * VERTEX_FLOATS, c * VERTEX_FLOATS)) continue
    const own = slots[slot]! * SLOT.number + (clear[slots[slot]!] ? SLOT.clear : 0)
    putTriangle(corners, bits, next++, a, b, c, own)
  }
  return next
}

/** Boxes of meshes are as fine as this allows, for all instances together. */
const MOST_BOXES = 1 << 22

function putRecords(
  memory: KernelMemory,
  { meshes, instances }: Scene,
  { meshes: instanced, meshOf }: Instancing,
  places: InstancePlaces,
  { ends, firsts }: { readonly ends: Uint32Array; readonly firsts: readonly number[] },
): { readonly instances: number; readonly runs: number } {
  const cells = instances.length * 64 <= MOST_BOXES ? 4 : instances.length * 8 <= MOST_BOXES ? 2 : 1
  const boxes = instanced.map(({ mesh }) => boxesOf(meshes[mesh]!, cells))
  const lists = new Map<string, number>()
  let list = places.slots
  let record = places.instances
  let run = places.runs
  // Triangles of the scene so far, those that are baked among them, and whether the next baked one begins a run.
  let shown = 0
  let baked = 0
  let bakedInstance = 0
  let begins = false
  for (const [i, { transform, materials, object = 0 }] of instances.entries()) {
    const mesh = meshOf[i]!
    if (mesh < 0) {
      if (begins) {
        put(memory, RUN, run, { first: baked, distance: shown - baked })
        run += RUN.bytes
        begins = false
      }
      const end = ends[bakedInstance++]!
      shown += end - baked
      baked = end
      continue
    }
    begins = true
    const key = materials.join()
    let slots = lists.get(key)
    if (slots === undefined) {
      slots = list
      lists.set(key, slots)
      for (const material of materials) {
        put(memory, MATERIAL_SLOT, list, { material: places.materials + material * MATERIAL.bytes })
        list += MATERIAL_SLOT.bytes
      }
    }
    put(memory, INSTANCE, record, { root: mesh + 1, materials: slots, number: shown - firsts[mesh]!, object })
    putPlace(memory, record, transform, boxes[mesh]!)
    shown += firsts[mesh + 1]! - firsts[mesh]!
    record += INSTANCE.bytes
  }
  return { instances: (record - places.instances) / INSTANCE.bytes, runs: (run - places.runs) / RUN.bytes }
}

/** All that rounds while a ray is in an instance, relative to the coordinates that occur: see `kernel/trace/instances.ts`. */
const MARGIN = 2 ** -20
/** By how much a box is larger than the triangles in it: of its longest side, as those of triangles (`kernel/build/boxes.ts`), … */
const SIDE_WIDENING = 2 ** -20
/** … and of its coordinates, for their rounding to floats and that of the corners. */
const COORDINATE_WIDENING = 2 ** -22

const low = [0, 0, 0]
const high = [0, 0, 0]

function putPlace(memory: KernelMemory, record: number, transform: readonly number[], boxes: Float64Array): void {
  const normals = inverseTransposed(transform)
  const corners = [CORNER.bytes, 2 * CORNER.bytes]
  const [cornerB, cornerC] = mirrors(transform) ? corners.reverse() : corners
  put(memory, INSTANCE, record, { place: transform, normals, cornerB: cornerB!, cornerC: cornerC! })
  placeBoxes(boxes, transform, low, high)
  const side = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) * SIDE_WIDENING
  const widened = { low: [0, 0, 0], high: [0, 0, 0] }
  const margins = new Float32Array(16)
  for (let axis = 0; axis < 3; axis++) {
    const largest = Math.max(Math.abs(low[axis]!), Math.abs(high[axis]!))
    const wider = side + largest * COORDINATE_WIDENING
    widened.low[axis] = low[axis]! - wider
    widened.high[axis] = high[axis]! + wider
    // Rows of the matrix of normals are columns of the inverse: how far a step along this axis of the scene leads in the mesh.
    for (let own = 0; own < 3; own++) {
      const share = Math.abs(normals[axis * 3 + own]!) * MARGIN
      margins[axis * 4 + own] = share
      margins[12 + own]! += share * largest
    }
  }
  put(memory, INSTANCE, record, { ...widened, margins })
}
