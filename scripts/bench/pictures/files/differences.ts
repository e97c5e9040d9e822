/** How far two pictures of the same scene are apart, in numbers: of the pixels that show something of it. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Estimate } from '../model/estimate.ts'

export interface Difference {
  /** Light of ours over that of theirs, less 1: of each channel's sum. */
  readonly brightness: Vec3
  /** Standard errors of these. */
  readonly brightnessNoise: Vec3
  /** Mean difference of a value, over their mean value. */
  readonly apart: number
  /** What it would be if only noise were between them. */
  readonly noise: number
  /** What is left without noise: √(apart² − noise²), for it is made of many independent differences. 0 if noise explains it. */
  readonly beyondNoise: number
  /** The factor that brings ours nearest to theirs, by least squares. */
  readonly scale: number
}

/** Mean of |x| for a normal distribution of standard deviation 1. */
const MEAN_OF_NORMAL = Math.sqrt(2 / Math.PI)

/** @param shown pixels that count: 1; all if absent */
export function differenceOf(ours: Estimate, theirs: Estimate, shown?: Uint8Array): Difference {
  const [own, other, variance, otherVariance]: number[][] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]
  let [apart, noise, product, square] = [0, 0, 0, 0]
  for (let i = 0; i < ours.mean.length; i++) {
    if (shown && shown[Math.floor(i / 3)] === 0) continue
    const [a, b, spread] = [ours.mean[i]!, theirs.mean[i]!, ours.variance[i]! + theirs.variance[i]!]
    const channel = i % 3
    own![channel]! += a
    other![channel]! += b
    variance![channel]! += ours.variance[i]!
    otherVariance![channel]! += theirs.variance[i]!
    apart += Math.abs(a - b)
    noise += Math.sqrt(spread) * MEAN_OF_NORMAL
    product += a * b
    square += a * a
  }
  const all = other!.reduce((sum, value) => sum + value, 0)
  const channels = <T>(of: (channel: 0 | 1 | 2) => T): [T, T, T] => [of(0), of(1), of(2)]
  const ratio = (channel: number): number => own![channel]! / other![channel]!
  const relative = (sum: number, of: number): number => sum / of ** 2
  return {
    brightness: channels(channel => ratio(channel) - 1),
    brightnessNoise: channels(
      channel =>
        ratio(channel) *
        Math.sqrt(relative(variance![channel]!, own![channel]!) + relative(otherVariance![channel]!, other![channel]!)),
    ),
    apart: apart / all,
    noise: noise / all,
    beyondNoise: Math.sqrt(Math.max(0, apart ** 2 - noise ** 2)) / all,
    scale: product / square,
  }
}
