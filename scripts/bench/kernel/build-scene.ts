/** Builds a scene with this project's kernel on the calling thread. */
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { WasmEngine } from '../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../worker/engine/wasm/wasm-scene.ts'

/** Complete build: from the packed scene to a memory of the right size. */
export function buildScene(engine: WasmEngine, scene: BakedScene): WasmScene {
  const building = engine.begin(scene.bytes, 1)
  engine.help(building)
  return engine.finish(building)
}
