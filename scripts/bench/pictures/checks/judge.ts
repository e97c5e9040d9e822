/**
 * Whether two pictures agree but for their noise, after the z-tests of Mitsuba 3's render tests (Jakob et al.). Nothing is compared
 * with a fixed tolerance: each difference is compared with the standard errors of both sides.
 *
 * Four questions, each for the worst of the three channels:
 * - *total*: is one picture brighter than the other? Noise averages out over the picture, so small errors show.
 * - *areas*: is light in the wrong place? z² of squares of pixels, summed; of small squares and of large ones.
 * - *outliers*: are single pixels wrong? The share of pixels that differ by more than three standard errors.
 * - *resolution*: would it have shown? The smallest error of the whole picture that *total* finds; a judge that sees nothing must
 *   not say that all is well.
 *
 * The noise of pixels must be independent, or cancel out between neighbours: then totals and areas are better than is believed. Where
 * few samples find a light it is skewed: a pixel that has found none is too dark and believes to be sure of it. So outliers are told by
 * the noise of the neighbourhood, too, and z of an area is bounded.
 */
import { invariant } from '../../../../shared/errors.ts'
import type { Estimate } from '../model/estimate.ts'
import { atMost, type Check } from './check.ts'
import { chiSquareTail, normalQuantile, normalTail, studentTail } from './distributions.ts'

export interface JudgeOptions {
  /** Relative error that counts as none: that of float arithmetic and of tables. @default 0.001 */
  readonly tolerance?: number
  /** Largest relative error of the whole picture that may go unnoticed. @default 0.01 */
  readonly resolution?: number
}

/** Standard errors by which a total may differ; chance alone exceeds it once in 16,000 pictures. */
const MOST_Z = 4
/** A pixel that differs by more than three standard errors, in either direction, is an outlier. */
const OUTLIER_TAIL = normalTail(3)
/** How often chance makes one: thrice as often as with normal noise, for noise of few bright samples. */
const OUTLIER_SHARE = 3 * 2 * OUTLIER_TAIL
/** Sides of areas, px: for edges and highlights, and for shadows and reflections. */
const AREAS = [4, 16]
/** Most that one area can say, standard errors: a single bright sample must not decide alone. */
const MOST_AREA_Z = 6
/** For numbers that rounding makes 0. */
const LEAST_TAIL = 1e-300
/** Probability below which chance is not an explanation. */
const UNLIKELY = 1e-4

/** Checks named after `name`. */
export function judge(name: string, ours: Estimate, theirs: Estimate, options: JudgeOptions = {}): Check[] {
  const { tolerance = 0.001, resolution = 0.01 } = options
  invariant(`${ours.size}` === `${theirs.size}`, `pictures of ${ours.size} and of ${theirs.size} px cannot be compared`)
  const pixels = tails(pooled(ours), pooled(theirs), tolerance)
  const areas = AREAS.map(side => zScores(shrunk(ours, side), shrunk(theirs, side), tolerance))
  const whole = Math.max(...ours.size)
  const [total, otherTotal] = [shrunk(ours, whole), shrunk(theirs, whole)]
  const channels = [0, 1, 2] as const
  const worst = (of: (channel: 0 | 1 | 2) => number) => Math.max(...channels.map(of))
  const ofChannel = (values: Float64Array, channel: number) => values.filter((_, i) => i % 3 === channel)

  const outliers = worst(channel => shareOf(ofChannel(pixels, channel), tail => tail < OUTLIER_TAIL))
  const count = pixels.length / 3
  // As many as chance makes, and four standard deviations of that number, or three pixels.
  const chance = OUTLIER_SHARE + Math.max(4 * Math.sqrt(OUTLIER_SHARE / count), 3 / count)
  const uneven = (scores: Float64Array): number => {
    const sum = scores.reduce((total, z) => total + Math.min(z * z, MOST_AREA_Z ** 2), 0)
    // As a z score, too, so that all limits are alike.
    const tail = chiSquareTail(sum, scores.length)
    return tail >= 0.5 ? 0 : normalQuantile(Math.max(tail, LEAST_TAIL))
  }
  const unevenness = worst(channel => Math.max(...areas.map(scores => uneven(ofChannel(scores, channel)))))
  return [
    atMost(
      `${name}: total, standard errors`,
      worst(channel => Math.abs(zScores(total, otherTotal, tolerance)[channel]!)),
      MOST_Z,
    ),
    atMost(`${name}: areas, standard errors`, unevenness, normalQuantile(UNLIKELY)),
    atMost(`${name}: outliers, share of pixels`, outliers, chance),
    atMost(
      `${name}: resolution, relative`,
      worst(channel => tolerance + noticed(total, otherTotal, channel)),
      resolution,
    ),
  ]
}

/**
 * Per value, how many standard errors `ours` lies above `theirs`, beyond the tolerance: as the normal score that is as probable as
 * their t.
 */
export const zScores = (ours: Estimate, theirs: Estimate, tolerance: number): Float64Array =>
  tails(ours, theirs, tolerance).map((tail, i) => {
    const sign = Math.sign(ours.mean[i]! - theirs.mean[i]!)
    return tail === 0 ? sign * Number.POSITIVE_INFINITY : sign * normalQuantile(tail)
  })

/**
 * Per value, how probable it is that chance makes so large a difference, beyond the tolerance, in this direction: at most 1/2, and 0
 * for pictures without noise. Student's t with Welch's degrees of freedom.
 */
function tails(ours: Estimate, theirs: Estimate, tolerance: number): Float64Array {
  return ours.mean.map((mean, i) => {
    const other = theirs.mean[i]!
    const [own, others] = [ours.variance[i]!, theirs.variance[i]!]
    const beyond = Math.abs(mean - other) - tolerance * Math.max(Math.abs(mean), Math.abs(other))
    if (beyond <= 0) return 0.5
    const variance = own + others
    if (!(variance > 0)) return 0
    // Welch, "The Generalization of 'Student's' Problem", Biometrika 34, 1947.
    const degrees = variance ** 2 / (own ** 2 / (ours.count - 1) + others ** 2 / (theirs.count - 1))
    return Math.max(studentTail(beyond / Math.sqrt(variance), degrees), LEAST_TAIL)
  })
}

/** Reach of a neighbourhood, px. */
const REACH = 2

/** With variances of at least their mean over the neighbourhood. */
function pooled(estimate: Estimate): Estimate {
  const { size, variance } = estimate
  const [width, height] = size
  const own = variance.map((value, i) => {
    const pixel = Math.floor(i / 3)
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    let [sum, count] = [0, 0]
    for (let row = Math.max(0, y - REACH); row <= Math.min(height - 1, y + REACH); row++) {
      for (let column = Math.max(0, x - REACH); column <= Math.min(width - 1, x + REACH); column++) {
        sum += variance[(row * width + column) * 3 + (i % 3)]!
        count++
      }
    }
    return Math.max(value, sum / count)
  })
  return { ...estimate, variance: own }
}

/** Mean of squares of `side` pixels, smaller ones at the right and bottom edges. */
function shrunk({ size: [width, height], mean, variance, count }: Estimate, side: number): Estimate {
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)]
  const sums = new Float64Array(across * down * 3)
  const variances = new Float64Array(sums.length)
  const squares = new Float64Array(sums.length)
  const pixels = new Float64Array(sums.length)
  for (let i = 0; i < mean.length; i++) {
    const pixel = Math.floor(i / 3)
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    const area = (Math.floor(y / side) * across + Math.floor(x / side)) * 3 + (i % 3)
    sums[area]! += mean[i]!
    variances[area]! += variance[i]!
    squares[area]! += variance[i]! ** 2
    pixels[area]!++
  }
  // Welch and Satterthwaite: what the sum of the variances is worth. The fewest of all areas stand for each.
  const degrees = variances.map((sum, i) =>
    sum > 0 ? ((count - 1) * sum ** 2) / squares[i]! : Number.POSITIVE_INFINITY,
  )
  return {
    size: [across, down],
    mean: sums.map((sum, i) => sum / pixels[i]!),
    variance: variances.map((sum, i) => sum / pixels[i]! ** 2),
    count: 1 + degrees.reduce((least, each) => Math.min(least, each)),
  }
}

/** Smallest relative difference of the totals that is noticed in most pictures, in this channel. */
function noticed(ours: Estimate, theirs: Estimate, channel: number): number {
  const level = Math.max(ours.mean[channel]!, theirs.mean[channel]!)
  const error = Math.sqrt(ours.variance[channel]! + theirs.variance[channel]!)
  return level === 0 ? 0 : ((MOST_Z + 1) * error) / level
}

const shareOf = (values: Float64Array, is: (value: number) => boolean): number =>
  values.filter(is).length / values.length
