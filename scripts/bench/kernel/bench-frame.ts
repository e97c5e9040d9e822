/** A complete directly lit frame, from camera rays to bytes: this project's engine against Embree, round by round. */
import { median } from '../measure.ts'
import type { BenchScene } from './bench-scene.ts'
import type { EmbreeHome } from './embree-home.ts'
import { type FrameTracer, openEmbreeFrame, openWasmFrame } from './frame-tracers.ts'
import { isUnavailable, type Unavailable } from './unavailable.ts'

export interface FrameFigures {
  /** Milliseconds of CPU time per frame. */
  readonly median: number
  readonly best: number
}

export interface FrameBench {
  readonly size: readonly [number, number]
  readonly wasm: FrameFigures | Unavailable
  readonly 'embree-single': FrameFigures | Unavailable
  /** Speed of this project's engine relative to Embree: median over the rounds. */
  readonly ratio?: number
  /** Difference between the two images, mean over all channels, of 255: equal work produces equal images. */
  readonly meanDifference?: number
}

export async function benchFrame(
  scene: BenchScene,
  home: EmbreeHome | Unavailable,
  rounds: number,
): Promise<FrameBench> {
  const wasm = openWasmFrame(scene)
  const embree = isUnavailable(home) ? home : await openEmbreeFrame(scene, home)
  const times: { wasm: number[]; embree: number[] } = { wasm: [], embree: [] }
  // Negative rounds are warm-up.
  for (let round = -2; round < rounds; round++) {
    const wasmMs = isUnavailable(wasm) ? Number.NaN : await wasm.trace()
    const embreeMs = isUnavailable(embree) ? Number.NaN : await embree.trace()
    if (round < 0) continue
    times.wasm.push(wasmMs)
    times.embree.push(embreeMs)
  }
  const both = !isUnavailable(wasm) && !isUnavailable(embree)
  const result: FrameBench = {
    size: scene.view.size,
    wasm: figures(wasm, times.wasm),
    'embree-single': figures(embree, times.embree),
    ...(both && {
      ratio: median(times.wasm.map((ms, round) => times.embree[round]! / ms)),
      meanDifference: meanDifference(wasm.pixels(), embree.pixels()),
    }),
  }
  for (const tracer of [wasm, embree]) if (!isUnavailable(tracer)) tracer.close()
  return result
}

const figures = (tracer: FrameTracer | Unavailable, times: readonly number[]): FrameFigures | Unavailable =>
  isUnavailable(tracer) ? tracer : { median: median(times), best: Math.min(...times) }

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / a.length
}
