/** The kernel where tracers are plugged in: on this thread, without a cluster. */
import { denoisedRects } from '../../../../master/assembly/denoising.ts'
import { denoiser } from '../../../../master/denoise/denoiser.ts'
import { loadKernel } from '../../../../master/denoise/load-denoiser.ts'
import { frameRect } from '../../../../shared/frame/rect.ts'
import { toMeans } from '../../../../shared/frame/sample-layout.ts'
import { allSamples, type View } from '../../../../shared/frame/view.ts'
import type { Tracer as EngineTracer } from '../../../../worker/engine/engine.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'
import { buildHere, buildPacked } from './build.ts'
import { noisyPicture } from './noisy-picture.ts'

/** How a picture is made by what traces its scene: linear radiance, three values a pixel. */
export type MakePicture = (tracer: EngineTracer, view: View) => Float64Array

export const kernelTracer = (name: string, engine: WasmEngine, make: MakePicture = traced): Tracer =>
  tracerOf(name, engine, (scene: PlainScene) => buildHere(engine, scene), make)

/** Of scenes that are packed already. */
export const packedTracer = <Scene extends { readonly packed: Uint8Array }>(
  name: string,
  engine: WasmEngine,
  make: MakePicture = traced,
): Tracer<Scene> => tracerOf(name, engine, ({ packed }: Scene) => buildPacked(engine, packed), make)

function traced(tracer: EngineTracer, view: View): Float64Array {
  const light = new Float64Array(view.size[0] * view.size[1] * 3)
  tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light })
  toMeans(view.quality, light)
  return light
}

/** For pictures of at least two samples a pixel; one of one sample stays as it is. */
export function tracedAndDenoised(): MakePicture {
  const denoise = denoiser(loadKernel())
  return (tracer, view) => {
    if (view.quality.samples < 2) return traced(tracer, view)
    const { picture, denoised } = noisyPicture(tracer, view)
    for (const rect of denoisedRects(view.size)) denoise(picture, rect, denoised)
    return Float64Array.from(denoised.light)
  }
}

function tracerOf<Scene extends object>(
  name: string,
  engine: WasmEngine,
  build: (scene: Scene) => WasmScene,
  make: MakePicture,
): Tracer<Scene> {
  const open = new WeakMap<Scene, EngineTracer>()
  return {
    name,
    async trace(scene, view) {
      const tracer = open.get(scene) ?? engine.open(build(scene), 0)
      open.set(scene, tracer)
      return make(tracer, view)
    },
  }
}
