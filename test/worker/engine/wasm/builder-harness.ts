/** Drives the kernel's builder step by step, as a host does, with any number of helpers. */
import { readFileSync } from 'node:fs'
import type { AmbientScene } from '../../../../shared/scene/ambient-look.ts'
import { triangleCount, VERTEX_FLOATS } from '../../../../shared/scene/bake.ts'
import {
  SCENE_STRUCTURE,
  SCENE_STRUCTURE_BYTES,
  SCENE_VERTICES,
  SCENE_VERTICES_AT,
} from '../../../../worker/engine/wasm/kernel/layout.ts'
import { instantiate, type Kernel } from '../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { arraysAt, placesOf, putHeader } from '../../../../worker/engine/wasm/scene-header.ts'
import { headerWord } from './structure.ts'

export const kernelModule = new WebAssembly.Module(
  readFileSync(new URL('../../../../worker/engine/wasm/kernel.wasm', import.meta.url)),
)

export const builderOver = (memory: KernelMemory): Kernel => instantiate(kernelModule, memory.memory)

/** A memory with the scene in it as it is, triangles without area included, and the first address behind. */
export function memoryWith(scene: AmbientScene, maximumPages = 32768): { memory: KernelMemory; end: number } {
  const size = { vertices: scene.vertices.length / VERTEX_FLOATS, triangles: triangleCount(scene) }
  const places = placesOf(size, scene.materials.length)
  const initial = Math.ceil(places.end / 65536)
  const memory = new KernelMemory(new WebAssembly.Memory({ initial, maximum: maximumPages, shared: true }))
  const { vertices, corners } = arraysAt(memory, places)
  vertices.set(scene.vertices)
  corners.set(scene.corners)
  putHeader(memory, scene, places, size.triangles)
  return { memory, end: places.end }
}

/** The vertices in a memory. */
export function verticesIn(memory: KernelMemory): Float32Array {
  const [at, count] = [headerWord(memory, SCENE_VERTICES_AT), headerWord(memory, SCENE_VERTICES)]
  return memory.floats.subarray(at >>> 2, (at >>> 2) + count * VERTEX_FLOATS)
}

/** The scene with its structure, moved into a memory of its own. */
export function build(scene: AmbientScene): KernelMemory {
  const { memory, end } = memoryWith(scene)
  const kernel = builderOver(memory)
  kernel.buildBegin(end)
  kernel.buildHelp()
  return moved(memory, kernel.buildFinish(end))
}

/** Copies scene and structure, which lies at `structure` now, to where it was finished for. */
export function moved(from: KernelMemory, structure: number): KernelMemory {
  const base = headerWord(from, SCENE_STRUCTURE)
  const bytes = headerWord(from, SCENE_STRUCTURE_BYTES)
  const to = KernelMemory.of(base + bytes)
  to.bytes.set(from.bytes.subarray(0, base))
  to.bytes.set(from.bytes.subarray(structure, structure + bytes), base)
  return to
}

/** The structure's bytes. */
export function structureBytes(memory: KernelMemory): Buffer {
  const base = headerWord(memory, SCENE_STRUCTURE)
  return Buffer.from(memory.bytes.slice(base, base + headerWord(memory, SCENE_STRUCTURE_BYTES)))
}

/** Refits the structure in a memory to what its vertices are now; returns the cost of the tree. */
export function refit(memory: KernelMemory): number {
  const kernel = builderOver(memory)
  kernel.refitBegin(Math.ceil(memory.bytes.length / 128) * 128)
  return kernel.refitFinish()
}
