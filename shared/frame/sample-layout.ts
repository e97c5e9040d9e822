/**
 * What the samples of a pixel have to do with their number. The path tracer's are meant to be added to: of LEAST_LASTING samples or more
 * each is the same whatever their number is, so that a frame of 64 is the first quarter of one of 256, bit for bit, and can become that
 * later. Fewer are laid out for their number. Those of the ambient integrator, which has a set of positions for each number, always are.
 *
 * - *Weights* in sums are for MOST_WEIGHTED samples, whatever there will be: what each adds is rounded to the same grid, and means are
 *   taken where sums become pictures. A power of two, so that only the last division rounds.
 * - *Cones* by which textures are filtered are as wide as the share of a pixel's area that a sample has, but not narrower than of
 *   LEAST_LASTING: within a pixel that blurs by √(1 + 1/32) − 1, 1.6 % of its width, and not at all where textures are not finer than pixels.
 * - *Stretches* of the sampler's sequences (`worker/engine/wasm/kernel/path/sampler.ts`): neighbours' complete each other where pixels have as many
 *   samples as a stretch has numbers. So few samples have short ones. Those that may become more have the longest.
 */
import { MAX_SAMPLES } from './frame-limits.ts'
import type { Quality } from './view.ts'

export const LEAST_LASTING = 32
const MOST_WEIGHTED = 1024

type Counted = Pick<Quality, 'samples' | 'bounces'>

/** Whether more samples can be added to what there is of a frame. */
export const isLasting = ({ samples, bounces }: Counted): boolean => bounces !== undefined && samples >= LEAST_LASTING

/** The samples that weights in sums are for. */
export const weightedFor = ({ samples, bounces }: Counted): number => (bounces === undefined ? samples : MOST_WEIGHTED)

/** The samples that a pixel's area is shared by. */
export const sharedBy = (quality: Counted): number => (isLasting(quality) ? LEAST_LASTING : quality.samples)

/** Bits of the number of a sample within its stretch. */
export const stretchBits = (quality: Counted): number => bitsOf(isLasting(quality) ? MAX_SAMPLES : quality.samples)

const bitsOf = (samples: number): number => 32 - Math.clz32(samples - 1)

/** Makes means of the sums of all samples of a frame. */
export function toMeans(quality: Counted, ...planes: readonly Float64Array[]): void {
  const factor = weightedFor(quality) / quality.samples
  for (const sums of planes) for (let i = 0; i < sums.length; i++) sums[i]! *= factor
}
