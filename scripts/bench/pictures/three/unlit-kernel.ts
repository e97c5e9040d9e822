/** The kernel without light: its channel of the colours that camera rays hit, and its count of hits. */
import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import { toMeans } from '../../../../shared/frame/sample-layout.ts'
import { allSamples, type Camera, type View } from '../../../../shared/frame/view.ts'
import type { NamedScene } from '../../../../shared/scene/held-scene.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { camerasOf } from '../../../library/cameras.ts'
import type { ReadyScene } from '../../../library/ready-scene.ts'
import { buildPacked } from '../kernel/build.ts'
import { CHANNELS, COVERAGE, type FlatPicture } from './flat-picture.ts'

/** @param samples camera rays per pixel */
export async function unlitPicture(
  engine: WasmEngine,
  held: NamedScene,
  camera: Camera,
  size: Size,
  samples: number,
): Promise<FlatPicture> {
  const view: View = {
    frame: 0,
    size,
    camera,
    exposure: 1,
    // Light is traced all the same: as little as there is.
    quality: { samples, ambientRays: 0, maxDepth: 0, bounces: 1 },
  }
  const pixels = size[0] * size[1]
  const [light, albedo] = [new Float64Array(pixels * 3), new Float64Array(pixels * 3)]
  const alpha = new Uint16Array(pixels)
  const { bytes } = await held.content()
  const tracer = engine.open(buildPacked(engine, bytes), 0)
  tracer.trace(view, { rect: frameRect(size) }, allSamples(view), { light, albedo, alpha })
  toMeans(view.quality, albedo)
  const values = new Float32Array(pixels * CHANNELS)
  for (let pixel = 0; pixel < pixels; pixel++) {
    values.set(albedo.subarray(pixel * 3, pixel * 3 + 3), pixel * CHANNELS)
    values[pixel * CHANNELS + COVERAGE] = alpha[pixel]! / samples
  }
  return { size, values }
}

/** Of each frame, given the scene's own cameras in it: its first one, or else our framing. */
export const unlitCameras = (scene: ReadyScene, size: Size) =>
  camerasOf(scene, scene.cameras.length > 0 ? undefined : 'still', size)
