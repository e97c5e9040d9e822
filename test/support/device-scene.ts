/** What shaders read of a scene, for functions of WGSL that tests call (`device-function.ts`). */

import { KernelMemory } from '../../worker/engine/wasm/memory.ts'
import { header } from '../../worker/engine/wasm/records/access.ts'
import { VERTEX } from '../../worker/engine/wasm/records/mesh.ts'
import type { WasmScene } from '../../worker/engine/wasm/wasm-scene.ts'
import type { Range } from '../../worker/engine/webgpu/device-buffers.ts'
import { deviceTables, UNUSED_WORDS } from '../../worker/engine/webgpu/device-tables.ts'
import { RECORDS } from '../../worker/engine/webgpu/kernel/records.ts'
import { TRIANGLE_PARTS } from '../../worker/engine/webgpu/kernel/triangle-parts.ts'
import type { FunctionBuffer } from './device-function.ts'

/** Structs of all records, and functions that read them. */
export const SCENE_RECORDS = `${RECORDS}${TRIANGLE_PARTS}`

/** The buffers `scene`, `triangles`, `vertices`, `attributes`, `texels` and `tables`. */
export function sceneBuffers(scene: WasmScene): readonly FunctionBuffer[] {
  const memory = new KernelMemory(scene.memory)
  const made = deviceTables(memory)
  const wordsAt = (from: number, to: number) => memory.words.slice(from >>> 2, to >>> 2)
  const section = (name: 'triangles' | 'vertices', count: 'triangleCount' | 'vertexCount', bytes: number) =>
    wordsAt(header(memory, name), header(memory, name) + header(memory, count) * bytes)
  const sections = (ranges: readonly Range[]) =>
    Uint32Array.from([...new Uint32Array(UNUSED_WORDS), ...ranges.flatMap(({ from, to }) => [...wordsAt(from, to)])])
  return [
    { declaration: 'var<uniform> scene: Scene', words: made.scene },
    {
      declaration: 'var<storage, read> triangles: array<u32>',
      words: section('triangles', 'triangleCount', header(memory, 'triangleBytes')),
    },
    {
      declaration: 'var<storage, read> vertices: array<f32>',
      words: section('vertices', 'vertexCount', VERTEX.bytes),
    },
    { declaration: 'var<storage, read> attributes: array<vec2<u32>>', words: sections(made.attributes) },
    { declaration: 'var<storage, read> texels: array<u32>', words: sections(made.texels) },
    { declaration: 'var<storage, read> tables: array<u32>', words: made.tables },
  ]
}
