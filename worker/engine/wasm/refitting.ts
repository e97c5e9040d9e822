/**
 * Takes over the structure of a scene in which only vertices were elsewhere. Which triangle a ray hits does not depend on the tree,
 * so it is as right as a new one; but the farther things move, the more its boxes overlap, and then a new one is due.
 */

import { SCENE_INSTANCE_COUNT } from './kernel/instance-layout.ts'
import {
  MATERIAL_BYTES,
  MATERIAL_CLEAR,
  SCENE,
  SCENE_DEPTH,
  SCENE_MATERIAL_COUNT,
  SCENE_MATERIALS,
  SCENE_NODES,
  SCENE_ROOT,
  SCENE_STRUCTURE,
  SCENE_STRUCTURE_BYTES,
  SCENE_TRIANGLE4S,
  SCENE_TRIANGLES,
  SCENE_TRIANGLES_AT,
  SCENE_VERTICES_AT,
  TRIANGLE_BYTES,
} from './kernel/layout.ts'
import { instantiate } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { sameNumbers } from './same-numbers.ts'
import type { WasmScene } from './wasm-scene.ts'

/** A tree that costs so many times what it did when it was built is built anew. */
const MOST_DECAY = 1.3

const STRUCTURE_FIELDS = [
  ...[SCENE_ROOT, SCENE_STRUCTURE, SCENE_STRUCTURE_BYTES],
  ...[SCENE_NODES, SCENE_TRIANGLE4S, SCENE_DEPTH],
] as const

/** The first address after the structure of a scene. */
export function structureEnd(memory: WebAssembly.Memory): number {
  const words = new Uint32Array(memory.buffer)
  const word = (field: number): number => words[(SCENE + field) >>> 2]!
  return word(SCENE_STRUCTURE) + word(SCENE_STRUCTURE_BYTES)
}

/**
 * Begins to refit a structure to the scene in a memory, where it is copied to.
 * @param end of that scene, the address of its structure
 * @returns undefined if the two scenes differ in more than vertices, the tree has decayed, or memory cannot grow
 */
export function beginRefitting(
  module: WebAssembly.Module,
  to: KernelMemory,
  { memory, tree }: WasmScene,
  end: number,
): { readonly builtCost: number } | undefined {
  if (tree && tree.cost > tree.builtCost * MOST_DECAY) return undefined
  const from = new KernelMemory(memory)
  if (hasInstances(from) || hasInstances(to)) return undefined
  if (!haveSameTriangles(from, to)) return undefined
  const field = (at: number): number => from.words[(SCENE + at) >>> 2]!
  const [structure, bytes] = [field(SCENE_STRUCTURE), field(SCENE_STRUCTURE_BYTES)]
  if (structure !== end) return undefined
  try {
    if (to.bytes.length < end + bytes) to.extend(end + bytes - to.bytes.length)
  } catch {
    return undefined
  }
  to.bytes.set(from.bytes.subarray(structure, structure + bytes), structure)
  for (const at of STRUCTURE_FIELDS) to.words[(SCENE + at) >>> 2] = field(at)
  const kernel = instantiate(module, to.memory)
  const builtCost = tree?.builtCost ?? kernel.treeCost()
  return kernel.refitBegin(Math.ceil((end + bytes) / 128) * 128) ? { builtCost } : undefined
}

/** Trees of meshes are small, and instances may be anywhere: these are built anew. */
const hasInstances = ({ words }: KernelMemory): boolean => words[(SCENE + SCENE_INSTANCE_COUNT) >>> 2]! > 0

/** Whether all triangles have the same vertices and materials, and these let light through or not as before: the tree depends on that. */
function haveSameTriangles(a: KernelMemory, b: KernelMemory): boolean {
  const field = ({ words }: KernelMemory, at: number): number => words[(SCENE + at) >>> 2]!
  for (const at of [SCENE_TRIANGLES, SCENE_TRIANGLES_AT, SCENE_VERTICES_AT, SCENE_MATERIALS, SCENE_MATERIAL_COUNT])
    if (field(a, at) !== field(b, at)) return false
  const first = field(a, SCENE_TRIANGLES_AT)
  const end = first + field(a, SCENE_TRIANGLES) * TRIANGLE_BYTES
  const triangles = ({ words }: KernelMemory) => words.subarray(first >>> 2, end >>> 2)
  if (!sameNumbers(triangles(a), triangles(b))) return false
  for (let i = 0; i < field(a, SCENE_MATERIAL_COUNT); i++) {
    const clear = (field(a, SCENE_MATERIALS) + i * MATERIAL_BYTES + MATERIAL_CLEAR) >>> 2
    if (a.words[clear] !== b.words[clear]) return false
  }
  return true
}
