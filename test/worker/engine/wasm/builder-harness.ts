/** Drives the kernel's builder step by step, as a host does, with any number of helpers. */
import { readFileSync } from 'node:fs'
import type { AmbientScene } from '../../../../shared/scene/ambient-look.ts'
import { materialOf, triangleCount, VERTEX_FLOATS, vertexNumber } from '../../../../shared/scene/bake.ts'
import { putTriangle } from '../../../../shared/scene/triangle-bits.ts'
import { instantiate, type Kernel } from '../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { header } from '../../../../worker/engine/wasm/records/access.ts'
import { arraysAt, placesOf, putHeader } from '../../../../worker/engine/wasm/scene-header.ts'

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
  const { vertices, corners, bits } = arraysAt(memory, places)
  vertices.set(scene.vertices)
  for (let triangle = 0; triangle < size.triangles; triangle++) {
    const [a, b, c] = [0, 1, 2].map(corner => vertexNumber(scene, triangle, corner)) as [number, number, number]
    putTriangle(corners, bits, triangle, a, b, c, materialOf(scene, triangle))
  }
  putHeader(memory, scene, places, size.triangles)
  return { memory, end: places.end }
}

/** The vertices in a memory. */
export function verticesIn(memory: KernelMemory): Float32Array {
  const [at, count] = [header(memory, 'vertices'), header(memory, 'vertexCount')]
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
  const base = header(from, 'structure')
  const bytes = header(from, 'structureBytes')
  const to = KernelMemory.of(base + bytes)
  to.bytes.set(from.bytes.subarray(0, base))
  to.bytes.set(from.bytes.subarray(structure, structure + bytes), base)
  return to
}

/** The structure's bytes. */
export function structureBytes(memory: KernelMemory): Buffer {
  const base = header(memory, 'structure')
  return Buffer.from(memory.bytes.slice(base, base + header(memory, 'structureBytes')))
}

/** Refits the structure in a memory to what its vertices are now; returns the cost of the tree. */
export function refit(memory: KernelMemory): number {
  const kernel = builderOver(memory)
  kernel.refitBegin(Math.ceil(memory.bytes.length / 128) * 128)
  return kernel.refitFinish()
}
