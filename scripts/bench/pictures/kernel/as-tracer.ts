/** The kernel where tracers are plugged in: on this thread, without a cluster. */
import { frameRect } from '../../../../shared/rect.ts'
import { allSamples } from '../../../../shared/view.ts'
import type { Tracer as EngineTracer } from '../../../../worker/engine/engine.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'
import { buildHere } from './build.ts'

export function kernelTracer(name: string, engine: WasmEngine): Tracer {
  const open = new WeakMap<PlainScene, EngineTracer>()
  return {
    name,
    async trace(scene, view) {
      const tracer = open.get(scene) ?? engine.open(buildHere(engine, scene), 0)
      open.set(scene, tracer)
      const light = new Float64Array(view.size[0] * view.size[1] * 3)
      tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light })
      return light
    },
  }
}
