/**
 * Denoising of complete frames: sums over samples become the means that a denoiser is told, and rectangles of a picture are denoised one
 * by one, in any order. Both halves of a pixel's samples are means of their own, so that their difference says how noisy the pixel is.
 */
import { type CellMask, NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import { CHANNELS } from '../../shared/frame/channels.ts'
import { inSecondHalf } from '../../shared/frame/halves.ts'
import type { Rect, Size } from '../../shared/frame/rect.ts'
import { joined } from '../../shared/light/accumulate.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameBuffer } from './frame-buffer.ts'
import { type CountsData, SampleCounts } from './sample-counts.ts'

/** Of w × h pixels, row by row. Means, not sums. Plain data. */
export interface NoisyPicture {
  readonly size: Size
  /** Linear radiance, three values a pixel, means over each half of its samples. */
  readonly light: readonly [Float32Array, Float32Array]
  /** Features, seven values from 0 to 1 a pixel, means over each half of its samples (`channels.ts`). */
  readonly features: readonly [Float32Array, Float32Array]
  /** Samples of each pixel. */
  readonly samples: Uint32Array
}

/** What comes of a picture. Plain data. */
export interface DenoisedPicture {
  /** Linear radiance, three values a pixel. */
  readonly light: Float32Array
  /** Estimated square errors of it, means over red, green and blue, one a pixel. Absent if nobody asks for them. */
  readonly errors?: Float32Array
}

/** Denoises a rectangle of a picture, to its place in `out`: a function of the picture alone, however it is cut. */
export type Denoise = (picture: NoisyPicture, rect: Rect, out: DenoisedPicture) => void

/** Sums of some rows of a frame, and the same rows of the picture that is made of them. Plain data over shared memory. */
export interface MeansSource {
  readonly counts: CountsData
  readonly light: Float64Array
  /** Light of the newest range, if it is not among those sums yet: of pixels that have so many samples. */
  readonly newest?: { readonly light: Float64Array; readonly taken: number }
  readonly halfLight: Float64Array
  readonly features: Uint32Array
  readonly halfFeatures: Uint32Array
  readonly to: Omit<NoisyPicture, 'size'>
}

/** Pixels whose denoising takes more than a second, during which nothing else may happen. */
const SLOW_PX = 2 ** 21

/** Whether to say that it is being done. */
export const isSlowToDenoise = ({ denoise, size }: Pick<SessionOrder, 'denoise' | 'size'>): boolean =>
  denoise === true && size[0] * size[1] >= SLOW_PX

const [LIGHT, FEATURES] = [CHANNELS.light.components, CHANNELS.features.components]
/** What 1 is in sums of features. */
const WHOLE = 65535

/** Bytes of a pixel of a picture, and of what comes of it. */
export const NOISY_BYTES = (2 * LIGHT + 2 * FEATURES + 1) * 4
export const DENOISED_BYTES = LIGHT * 4
export const ERROR_BYTES = 4

/** Memory for a picture and for what comes of it. @param take returns memory with any content @param withErrors whether errors are asked for */
export function newPicture(
  size: Size,
  take: (bytes: number) => ArrayBufferLike,
  withErrors = false,
): { readonly picture: NoisyPicture; readonly denoised: DenoisedPicture } {
  const pixels = size[0] * size[1]
  const floats = (components: number) => new Float32Array(take(pixels * components * 4), 0, pixels * components)
  return {
    picture: {
      size,
      light: [floats(LIGHT), floats(LIGHT)],
      features: [floats(FEATURES), floats(FEATURES)],
      samples: new Uint32Array(take(pixels * 4), 0, pixels),
    },
    denoised: { light: floats(LIGHT), ...(withErrors ? { errors: floats(1) } : {}) },
  }
}

/** Of some rows. @param from, to a multiple of a cell's side, or the height */
export function meansSource(
  buffer: FrameBuffer,
  counts: SampleCounts,
  { light, features, samples }: NoisyPicture,
  [from, to]: readonly [number, number],
  newest?: MeansSource['newest'],
): MeansSource {
  const [w] = buffer.size
  const part = (components: number): [number, number] => [from * w * components, to * w * components]
  return {
    counts: counts.rows(from, to),
    light: buffer.plane('light').subarray(...part(LIGHT)),
    ...(newest ? { newest: { ...newest, light: newest.light.subarray(...part(LIGHT)) } } : {}),
    halfLight: buffer.plane('halfLight').subarray(...part(LIGHT)),
    features: buffer.plane('features').subarray(...part(FEATURES)),
    halfFeatures: buffer.plane('halfFeatures').subarray(...part(FEATURES)),
    to: {
      light: [light[0].subarray(...part(LIGHT)), light[1].subarray(...part(LIGHT))],
      features: [features[0].subarray(...part(FEATURES)), features[1].subarray(...part(FEATURES))],
      samples: samples.subarray(...part(1)),
    },
  }
}

/** Of a pixel with a single sample both halves are that one. */
export function writeMeans({ counts: data, light, newest, halfLight, features, halfFeatures, to }: MeansSource): void {
  const counts = SampleCounts.of(data)
  counts.forEachRun((start, end, taken) => {
    const second = inSecondHalf(taken)
    const first = taken - second
    to.samples.fill(taken, start, end)
    // Sums of light are weighted by one over the most samples.
    const [ofFirst, ofSecond] = [data.most / first, data.most / second]
    const added = newest?.taken === taken ? newest.light : undefined
    for (let i = start * LIGHT; i < end * LIGHT; i++) {
      const half = halfLight[i]!
      const sum = added ? joined(light[i]!, added[i]!) : light[i]!
      const other = (sum - half) * ofFirst
      to.light[0][i] = other
      to.light[1][i] = second > 0 ? half * ofSecond : other
    }
    for (let i = start * FEATURES; i < end * FEATURES; i++) {
      const half = halfFeatures[i]!
      const other = (features[i]! - half) / (WHOLE * first)
      to.features[0][i] = other
      to.features[1][i] = second > 0 ? half / (WHOLE * second) : other
    }
  })
}

/** Sides of the rectangles that are denoised one by one, px: a tenth of a second of work or two, of which a sixth is for the margin. */
const RECT = { w: 40 * NOISE_CELL, h: 45 * NOISE_CELL } as const

export function denoisedRects([w, h]: Size): Rect[] {
  const rects: Rect[] = []
  for (let y = 0; y < h; y += RECT.h)
    for (let x = 0; x < w; x += RECT.w) rects.push({ x, y, w: Math.min(RECT.w, w - x), h: Math.min(RECT.h, h - y) })
  return rects
}

/** What of them it takes to cover some cells. */
export const denoisedRectsOf = (cells: CellMask): Rect[] =>
  denoisedRects(cells.size).flatMap(rect => cells.within({ rect })?.rect ?? [])
