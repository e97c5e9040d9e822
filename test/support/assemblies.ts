/** Frames to assemble, and their tiles. */

import type { Denoise } from '../../master/assembly/denoising.ts'
import { channelsFor } from '../../master/assembly/finish-frame.ts'
import type { AssemblyOrder } from '../../master/assembly/frame-assembly.ts'
import { CHANNELS, type ChannelName, newPlane } from '../../shared/frame/channels.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'

/** A denoiser that tells where it is, and reads what is around: light, features and samples. */
export const blurred: Denoise = ({ size: [w, h], light, features, samples }, rect, out) => {
  for (let y = rect.y; y < rect.y + rect.h; y++)
    for (let x = rect.x; x < rect.x + rect.w; x++)
      for (let k = 0; k < 3; k++) {
        let sum = 0
        for (let i = Math.max(0, y - 2) * w; i <= Math.min(h - 1, y + 2) * w; i += w)
          for (let j = i + Math.max(0, x - 2); j <= i + Math.min(w - 1, x + 2); j++)
            sum += light[0][j * 3 + k]! + light[1][j * 3 + k]! / 3 + features[0][j * 7]! + features[1][j * 7 + 6]! / 7
        out.light[(y * w + x) * 3 + k] = sum / samples[y * w + x]!
        // The upper part is clean.
        if (out.errors) out.errors[y * w + x] = y < h / 2 ? 0 : sum ** 2
      }
}

/** Whoever waits for what has happened goes on. */
export const settled = () => new Promise(resolve => setImmediate(resolve))

export const quality = { samples: 64, ambientRays: 0, maxDepth: 0 }

/** Values of a set's pixels that depend on nothing but their place, the channel and the samples. */
export function tileOf(
  set: PixelSet,
  channels: readonly ChannelName[],
  { from, to }: SampleRange,
  [w]: Size,
): Uint8Array {
  return Uint8Array.from(
    channels.flatMap(channel => {
      const plane = newPlane(channel, pixelCount(set)) as unknown as { [i: number]: number; readonly length: number }
      const components = plane.length / pixelCount(set)
      let at = 0
      forEachRun(set, (x, y, length) => {
        for (let i = 0; i < length * components; i++) {
          const unit = unitOf(hash32((y * w + x) * components + i, from, channel.length))
          // The left half is calm.
          const noise = x + Math.floor(i / components) < w / 2 ? 0.5 : unit
          plane[at++] =
            CHANNELS[channel].type === 'f64'
              ? Math.round((noise * (to - from) * 2 ** 32) / quality.samples) / 2 ** 32
              : channel === 'alpha'
                ? Math.floor(unit * (to - from + 1))
                : Math.floor(unit * 1000)
        }
      })
      return [...new Uint8Array((plane as unknown as Float64Array).buffer)]
    }),
  )
}

export const orderOf = (size: Size, changes: Partial<AssemblyOrder['content']>, more: Partial<AssemblyOrder> = {}) => {
  const content = { passes: 1, quality, ...changes }
  const limit = content.noise === undefined ? undefined : { noise: content.noise, exposure: 1 }
  return { size, channels: channelsFor(content), content, look: { exposure: 1 }, limit, ...more } as AssemblyOrder
}
