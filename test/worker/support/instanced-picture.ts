/** Pictures of scenes whose meshes are instanced, or not: nothing in them may tell. */
import { TABLE_ENTRIES } from '../../../shared/frame/coverage-table.ts'
import { frameRect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { KernelName } from '../../../worker/engine/engine.ts'
import { ALL_INSTANCES } from '../../../worker/engine/wasm/instances/instancing.ts'
import { KernelMemory } from '../../../worker/engine/wasm/memory.ts'
import { header } from '../../../worker/engine/wasm/records/access.ts'
import type { WasmScene } from '../../../worker/engine/wasm/wasm-scene.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { buildHere } from './engines.ts'

/** All channels of a picture, and how many instances the scene has in memory. */
export function pictureOf(name: KernelName, scene: SceneDescription, view: View, rule = ALL_INSTANCES) {
  const engine = loadWasmEngine(name, rule)
  const built = buildHere(engine, bakedScene(packScene(scene))) as WasmScene
  const pixels = view.size[0] * view.size[1]
  const floats = (count: number) => new Float32Array(pixels * count)
  const light = new Float64Array(pixels * 3)
  const centre = {
    normal: floats(3),
    mappedNormal: floats(3),
    position: floats(3),
    depth: floats(1),
    id: new Uint32Array(pixels),
    objectId: new Uint32Array(pixels),
    materialId: new Uint32Array(pixels),
  }
  const [albedo, depth] = [new Float64Array(pixels * 3), floats(1)]
  const tables = () => new Uint32Array(pixels * TABLE_ENTRIES)
  const mattes = { cryptoObject: tables(), cryptoMaterial: tables() }
  const out = { light, centre, albedo, depth, ...mattes, alpha: new Uint16Array(pixels) }
  engine.open(built, 0).trace(view, { rect: frameRect(view.size) }, allSamples(view), out)
  return { out, instances: header(new KernelMemory(built.memory), 'instanceCount') }
}
