/** What pictures are compared with: many samples of another seed. */
import { setImmediate } from 'node:timers/promises'
import { frameRect } from '../../../shared/frame/rect.ts'
import { weightedFor } from '../../../shared/frame/sample-layout.ts'
import type { View } from '../../../shared/frame/view.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'

export const SEEDS = { noisy: 1, reference: 2 } as const
const COLORS = 3
/** In r² + DARK: errors of what is darker than its root count less. */
const DARK = 0.01
/** Samples that are traced between two looks at the signal. */
const SAMPLES_AT_ONCE = 64

export const withSamples = (view: View, samples: number, seed: number): View => ({
  ...view,
  quality: { ...view.quality, samples, seed },
})

/** Linear radiance, three values a pixel. */
export async function lightOf(tracer: Tracer, view: View, signal: AbortSignal): Promise<Float64Array> {
  const { samples } = view.quality
  const light = new Float64Array(view.size[0] * view.size[1] * COLORS)
  const part = new Float64Array(light.length)
  const mean = weightedFor(view.quality) / samples
  for (let from = 0; from < samples; from += SAMPLES_AT_ONCE) {
    await setImmediate()
    signal.throwIfAborted()
    const to = Math.min(samples, from + SAMPLES_AT_ONCE)
    tracer.trace(view, { rect: frameRect(view.size) }, { from, to }, { light: part.fill(0) })
    for (let i = 0; i < light.length; i++) light[i]! += part[i]! * mean
  }
  return light
}

/** Mean of (x − r)² / (r² + 0.01) over pixels and colours. */
export function relativeError(values: Float32Array, reference: Float64Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += (values[i]! - reference[i]!) ** 2 / (reference[i]! ** 2 + DARK)
  return sum / values.length
}
