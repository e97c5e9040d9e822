/**
 * Takes over the structure of a scene in which only vertices were elsewhere. Which triangle a ray hits does not depend on the tree,
 * so it is as right as a new one; but the farther things move, the more its boxes overlap, and then a new one is due.
 */

import { instantiate } from './kernel.ts'
import { KernelMemory } from './memory.ts'
import { get, header, putHeader } from './records/access.ts'
import { MATERIAL } from './records/material.ts'
import { sameNumbers } from './same-numbers.ts'
import type { RefittedTree, WasmScene } from './wasm-scene.ts'

/** A tree that costs so many times what it did when it was built is built anew. */
const MOST_DECAY = 1.3

const TREE_FIELDS = ['nodeCount', 'triangle4Count', 'depth'] as const
const STRUCTURE_FIELDS = ['root', 'structure', 'structureBytes', ...TREE_FIELDS] as const

/** The first address after the structure of a scene. */
export function structureEnd(memory: WebAssembly.Memory): number {
  const views = new KernelMemory(memory)
  return header(views, 'structure') + header(views, 'structureBytes')
}

/** A hash of the shape of a scene's tree. */
const shapeOf = (module: WebAssembly.Module, { memory, tree }: WasmScene): bigint =>
  tree?.shape ?? instantiate(module, memory).treeShape()

/** Whether the trees of two scenes have as many nodes and triangle4s, at as many levels, in the same shape. */
export function haveSameTree(module: WebAssembly.Module, a: WasmScene, b: WasmScene): boolean {
  const [one, other] = [new KernelMemory(a.memory), new KernelMemory(b.memory)]
  return (
    TREE_FIELDS.every(name => header(one, name) === header(other, name)) && shapeOf(module, a) === shapeOf(module, b)
  )
}

/**
 * Begins to refit a structure to the scene in a memory, where it is copied to.
 * @param end of that scene, the address of its structure
 * @param hasTree whether a tree of this shape is there: refitting writes all else
 * @returns undefined if the two scenes differ in more than vertices, the tree has decayed, or memory cannot grow
 */
export function beginRefitting(
  module: WebAssembly.Module,
  to: KernelMemory,
  built: WasmScene,
  end: number,
  hasTree: boolean,
): RefittedTree | undefined {
  const { memory, tree } = built
  if (tree && tree.cost > tree.builtCost * MOST_DECAY) return undefined
  const from = new KernelMemory(memory)
  if (hasInstances(from) || hasInstances(to)) return undefined
  if (!haveSameTriangles(from, to)) return undefined
  const [structure, bytes] = [header(from, 'structure'), header(from, 'structureBytes')]
  if (structure !== end) return undefined
  try {
    if (to.bytes.length < end + bytes) to.extend(end + bytes - to.bytes.length)
  } catch {
    return undefined
  }
  if (!hasTree) to.bytes.set(from.bytes.subarray(structure, structure + bytes), structure)
  for (const name of STRUCTURE_FIELDS) putHeader(to, { [name]: header(from, name) })
  const kernel = instantiate(module, to.memory)
  const builtCost = tree?.builtCost ?? kernel.treeCost()
  return kernel.refitBegin(Math.ceil((end + bytes) / 128) * 128)
    ? { builtCost, shape: shapeOf(module, built) }
    : undefined
}

/** Trees of meshes are small, and instances may be anywhere: these are built anew. */
const hasInstances = (memory: KernelMemory): boolean => header(memory, 'instanceCount') > 0

const SAME_FIELDS = [
  ...(['triangleCount', 'triangles', 'triangleBytes', 'vertexBits', 'materialBits'] as const),
  ...(['vertices', 'materials', 'materialCount'] as const),
]

/** Whether all triangles have the same vertices and materials, and these let light through or not as before: the tree depends on that. */
function haveSameTriangles(a: KernelMemory, b: KernelMemory): boolean {
  for (const name of SAME_FIELDS) if (header(a, name) !== header(b, name)) return false
  const first = header(a, 'triangles')
  const end = first + header(a, 'triangleCount') * header(a, 'triangleBytes')
  const triangles = ({ words }: KernelMemory) => words.subarray(first >>> 2, end >>> 2)
  if (!sameNumbers(triangles(a), triangles(b))) return false
  for (let i = 0; i < header(a, 'materialCount'); i++) {
    const material = header(a, 'materials') + i * MATERIAL.bytes
    if (get(a, MATERIAL, material, 'clear') !== get(b, MATERIAL, material, 'clear')) return false
  }
  return true
}
