/**
 * How fast the error of a mean falls with the number of samples, for well spread numbers beside white noise. Integrands of one pair
 * are what a single decision of a path sees; nested ones depend on two pairs, as light that was scattered twice does. And how the
 * errors of neighbouring pixels cancel out, which eyes do, too.
 */
import { atMost, type Check } from './check.ts'

/** Two independent pairs of numbers in [0, 1) for one of the samples of pixel (x, y). */
export type Draw = (x: number, y: number, sample: number, samples: number) => readonly [number, number, number, number]

export interface Integrand {
  readonly name: string
  readonly nested: boolean
  of(a: number, b: number, c: number, d: number): number
  readonly mean: number
  /** Standard deviation of a single value. */
  readonly deviation: number
  /** Largest slope that is accepted, and largest error at 256 samples over that of white noise. */
  readonly slope: number
  readonly ratio: number
}

const HALF: Pick<Integrand, 'mean' | 'deviation'> = { mean: 0.5, deviation: 0.5 }

export const INTEGRANDS: readonly Integrand[] = [
  {
    name: 'an edge through a pixel',
    nested: false,
    slope: -0.65,
    ratio: 0.3,
    of: (a, b) => (a * 0.3 + b < 0.65 ? 1 : 0),
    ...HALF,
  },
  {
    name: 'a gradient',
    nested: false,
    slope: -1.2,
    ratio: 0.05,
    of: (a, b) => a * b,
    mean: 0.25,
    deviation: Math.sqrt(1 / 9 - 1 / 16),
  },
  {
    name: 'an edge that depends on two decisions',
    nested: true,
    slope: -0.45,
    ratio: 0.7,
    of: (a, _, c) => (a + c < 1 ? 1 : 0),
    ...HALF,
  },
  {
    name: 'a product of two decisions',
    nested: true,
    slope: -0.45,
    ratio: 0.75,
    of: (a, b, c, d) => a * b * c * d,
    mean: 1 / 16,
    deviation: Math.sqrt(1 / 81 - 1 / 256),
  },
]

/** Root mean square errors for some numbers of samples. */
export interface Convergence {
  readonly integrand: Integrand
  readonly points: readonly { readonly samples: number; readonly error: number; readonly white: number }[]
  /** error ≈ constant × samples^slope, least squares in logarithms. White noise: its deviation, and −½. */
  readonly slope: number
  readonly constant: number
}

const COUNTS = [4, 8, 16, 32, 64, 128, 256, 512, 1024]
const COMPARED = 256
/** Pixels that are so far from each other have nothing to do with each other. */
const APART = 1000

export function convergenceOf(integrand: Integrand, draw: Draw, pixels: number): Convergence {
  const squares = COUNTS.map(() => 0)
  for (let pixel = 0; pixel < pixels; pixel++) {
    let sum = 0
    let next = 0
    for (let sample = 0; sample < COUNTS.at(-1)!; sample++) {
      sum += integrand.of(...draw(pixel * APART, 0, sample, COUNTS.at(-1)!))
      if (sample + 1 !== COUNTS[next]) continue
      squares[next++]! += (sum / (sample + 1) - integrand.mean) ** 2
    }
  }
  const points = COUNTS.map((samples, i) => ({
    samples,
    error: Math.sqrt(squares[i]! / pixels),
    white: integrand.deviation / Math.sqrt(samples),
  }))
  return { integrand, points, ...powerLaw(points) }
}

function powerLaw(points: Convergence['points']): { readonly slope: number; readonly constant: number } {
  const xs = points.map(({ samples }) => Math.log(samples))
  const ys = points.map(({ error }) => Math.log(error))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const slope =
    xs.reduce((sum, each, i) => sum + (each - x) * (ys[i]! - y), 0) / xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
  return { slope, constant: Math.exp(y - slope * x) }
}

export function checkConvergence({ integrand, points, slope }: Convergence): Check[] {
  const { error, white } = points.find(({ samples }) => samples === COMPARED)!
  return [
    atMost(`sampler: ${integrand.name}: slope of the error`, slope, integrand.slope),
    atMost(`sampler: ${integrand.name}: error over that of white noise`, error / white, integrand.ratio),
  ]
}

/** Side of the blocks whose mean is looked at, and of the picture that they make up, px. */
const BLOCK = 8
const SIDE = 256
/** Samples of a pixel, as few as in a preview, and the largest error of means that is accepted for them. */
const PREVIEWS = [1, 4]
const MEANS_RATIO = 0.5

/**
 * Root mean square error of the mean of a block of pixels that all see the same integrand, over that of one pixel and divided by what
 * it would be if pixels knew nothing of each other.
 */
export function blockError(integrand: Integrand, draw: Draw, samples: number): number {
  let [pixels, blocks] = [0, 0]
  for (let top = 0; top < SIDE; top += BLOCK)
    for (let left = 0; left < SIDE; left += BLOCK) {
      let sum = 0
      for (let pixel = 0; pixel < BLOCK * BLOCK; pixel++) {
        let error = 0
        for (let sample = 0; sample < samples; sample++)
          error +=
            integrand.of(...draw(left + (pixel % BLOCK), top + Math.floor(pixel / BLOCK), sample, samples)) -
            integrand.mean
        pixels += (error / samples) ** 2
        sum += error / samples
      }
      blocks += (sum / BLOCK ** 2) ** 2
    }
  return Math.sqrt((blocks * BLOCK ** 2) / (pixels / BLOCK ** 2))
}

/** Of what depends on a single decision: errors of others cancel out less and less, the more decisions there are. */
export const checkNeighbours = (integrand: Integrand, draw: Draw): Check[] =>
  (integrand.nested ? [] : PREVIEWS).map(samples =>
    atMost(
      `sampler: ${integrand.name}: error of ${BLOCK}×${BLOCK} px over that of independent ones, samples: ${samples}`,
      blockError(integrand, draw, samples),
      MEANS_RATIO,
    ),
  )
