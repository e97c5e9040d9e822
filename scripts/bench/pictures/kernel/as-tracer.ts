/** The kernel where tracers are plugged in: on this thread, without a cluster. */
import { frameRect } from '../../../../shared/frame/rect.ts'
import { allSamples } from '../../../../shared/frame/view.ts'
import type { Tracer as EngineTracer } from '../../../../worker/engine/engine.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'
import { buildHere, buildPacked } from './build.ts'

export const kernelTracer = (name: string, engine: WasmEngine): Tracer =>
  tracerOf(name, engine, (scene: PlainScene) => buildHere(engine, scene))

/** Of scenes that are packed already. */
export const packedTracer = <Scene extends { readonly packed: Uint8Array }>(
  name: string,
  engine: WasmEngine,
): Tracer<Scene> => tracerOf(name, engine, ({ packed }: Scene) => buildPacked(engine, packed))

function tracerOf<Scene extends object>(
  name: string,
  engine: WasmEngine,
  build: (scene: Scene) => WasmScene,
): Tracer<Scene> {
  const open = new WeakMap<Scene, EngineTracer>()
  return {
    name,
    async trace(scene, view) {
      const tracer = open.get(scene) ?? engine.open(build(scene), 0)
      open.set(scene, tracer)
      const light = new Float64Array(view.size[0] * view.size[1] * 3)
      tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light })
      return light
    },
  }
}
