/** What a denoiser is told of a frame that is traced here, without a cluster. */
import { type DenoisedPicture, type NoisyPicture, newPicture } from '../../../../master/assembly/denoising.ts'
import { CHANNELS } from '../../../../shared/frame/channels.ts'
import { inSecondHalf } from '../../../../shared/frame/halves.ts'
import { frameRect } from '../../../../shared/frame/rect.ts'
import { weightedFor } from '../../../../shared/frame/sample-layout.ts'
import type { View } from '../../../../shared/frame/view.ts'
import type { Tracer } from '../../../../worker/engine/engine.ts'

const [COLORS, FEATURES] = [CHANNELS.light.components, CHANNELS.features.components]
/** What 1 is in sums of features. */
const WHOLE = 65535

/** @param view of at least two samples a pixel @returns with memory for what comes of it */
export function noisyPicture(tracer: Tracer, view: View): { picture: NoisyPicture; denoised: DenoisedPicture } {
  const pixels = view.size[0] * view.size[1]
  const sums = {
    light: new Float64Array(pixels * COLORS),
    halfLight: new Float64Array(pixels * COLORS),
    features: new Uint32Array(pixels * FEATURES),
    halfFeatures: new Uint32Array(pixels * FEATURES),
  }
  const { samples } = view.quality
  tracer.trace(view, { rect: frameRect(view.size) }, { from: 0, to: samples }, sums)
  const made = newPicture(view.size, bytes => new ArrayBuffer(bytes))
  putMeans(made.picture, sums, samples, weightedFor(view.quality))
  return made
}

interface Sums {
  readonly light: Float64Array
  readonly halfLight: Float64Array
  readonly features: Uint32Array
  readonly halfFeatures: Uint32Array
}

/** Of pixels that all have as many samples. @param most samples that weights are for */
function putMeans({ light, features, samples }: NoisyPicture, sums: Sums, taken: number, most: number): void {
  const second = inSecondHalf(taken)
  const first = taken - second
  samples.fill(taken)
  for (let i = 0; i < sums.light.length; i++) {
    light[0][i] = ((sums.light[i]! - sums.halfLight[i]!) * most) / first
    light[1][i] = (sums.halfLight[i]! * most) / second
  }
  for (let i = 0; i < sums.features.length; i++) {
    features[0][i] = (sums.features[i]! - sums.halfFeatures[i]!) / (WHOLE * first)
    features[1][i] = sums.halfFeatures[i]! / (WHOLE * second)
  }
}
