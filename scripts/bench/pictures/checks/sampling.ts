/**
 * Whether directions are sampled as they are said to be: with the stated density (Pearson's χ² test, after Nori's and Mitsuba's), and
 * each worth what it evaluates to. Of lobes and of lights.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Lobe } from '../model/lobe.ts'
import { RandomStream } from '../naive/random-stream.ts'
import { atMost, type Check } from './check.ts'
import { chiSquareTail } from './distributions.ts'

export interface SamplingOptions {
  /** For each direction of the viewer. */
  readonly samples: number
  readonly seed: number
  /** Largest relative difference between two ways to a number. */
  readonly precision: number
  /** Fewest midpoints per side of a bin. Where densities end at edges, as those of lights do, it takes more. @default 8 */
  readonly coarsest?: number
}

/** For some directions of the viewer. */
export function samplingChecks(
  name: string,
  lobe: Lobe,
  directions: readonly Vec3[],
  { samples, seed, precision, coarsest }: SamplingOptions,
): Check[] {
  const unlikely = Math.min(...directions.map(wo => samplingProbability(lobe, wo, samples, seed, coarsest)))
  const disagreed = Math.max(...directions.map(wo => disagreement(lobe, wo, seed)))
  return [
    atMost(`${name}: samples against density, -log10 p`, -Math.log10(unlikely), -Math.log10(sidak(directions.length))),
    atMost(`${name}: samples against values, relative`, disagreed, precision),
  ]
}

export const direction = (cosine: number, azimuth: number): Vec3 => {
  const sine = Math.sqrt(1 - cosine * cosine)
  return [sine * Math.cos(azimuth), sine * Math.sin(azimuth), cosine]
}

/** Probability that is refused in each of several tests, for a chance of 1e-4 in all together. Šidák, "Rectangular Confidence Regions", JASA 62, 1967. */
const sidak = (tests: number): number => 1 - (1 - 1e-4) ** (1 / tests)

/** Bins over the sphere, even in solid angle. */
const COSINES = 20
const AZIMUTHS = 40
/** Expected counts below it are not normal enough: such bins are counted together. */
const FEWEST = 5

/**
 * Probability that samples of the density that the lobe states differ from it as much as its samples do. What is absorbed and what
 * goes into a perfectly smooth direction is one more bin.
 */
export function samplingProbability(lobe: Lobe, wo: Vec3, samples: number, seed: number, coarsest = COARSEST): number {
  const expected = Array.from(
    { length: COSINES * AZIMUTHS },
    (_, bin) => samples * probability(lobe, wo, bin, samples, coarsest),
  )
  const counted = new Array<number>(expected.length + 1).fill(0)
  const random = new RandomStream(seed)
  for (let i = 0; i < samples; i++) {
    const sample = lobe.sample(wo, [random.next(), random.next(), random.next()])
    counted[sample && !sample.smooth ? binOf(sample.wi) : expected.length]!++
  }
  expected.push(samples - expected.reduce((sum, count) => sum + count, 0))

  // Count bins together, from the emptiest on, until as much is expected as is needed.
  const order = expected.map((_, bin) => bin).sort((a, b) => expected[a]! - expected[b]!)
  const bins: { expected: number; counted: number }[] = []
  let pool = { expected: 0, counted: 0 }
  for (const bin of order) {
    pool = { expected: pool.expected + expected[bin]!, counted: pool.counted + counted[bin]! }
    if (pool.expected < FEWEST) continue
    bins.push(pool)
    pool = { expected: 0, counted: 0 }
  }
  if (bins.length < 2) return 1
  const statistic = bins.reduce((sum, bin) => sum + (bin.counted - bin.expected) ** 2 / bin.expected, 0)
  return chiSquareTail(statistic, bins.length - 1)
}

function binOf([x, y, z]: Vec3): number {
  const row = Math.min(COSINES - 1, Math.floor(((z + 1) / 2) * COSINES))
  const turns = Math.atan2(y, x) / (2 * Math.PI)
  return row * AZIMUTHS + Math.min(AZIMUTHS - 1, Math.floor((turns - Math.floor(turns)) * AZIMUTHS))
}

/** Midpoints per side of a bin: the fewest for lobes, and the most, for the sharpest ones. */
const COARSEST = 8
const FINEST = 128
/** Error of a bin's count that does not matter, in its standard deviations. */
const SMALL = 0.01

/** Integral of the density over a bin: midpoints, twice as many until nothing changes. */
function probability(lobe: Lobe, wo: Vec3, bin: number, samples: number, coarsest: number): number {
  const [row, column] = [Math.floor(bin / AZIMUTHS), bin % AZIMUTHS]
  const sum = (side: number): number => {
    let total = 0
    for (let i = 0; i < side; i++) {
      const cosine = (2 * (row + (i + 0.5) / side)) / COSINES - 1
      for (let j = 0; j < side; j++)
        total += lobe.evaluate(wo, direction(cosine, (2 * Math.PI * (column + (j + 0.5) / side)) / AZIMUTHS)).pdf
    }
    return (total * 4 * Math.PI) / (COSINES * AZIMUTHS * side * side)
  }
  let coarse = sum(coarsest)
  for (let side = 2 * coarsest; ; side *= 2) {
    const fine = sum(side)
    if (Math.abs(fine - coarse) <= SMALL * Math.sqrt(fine / samples) || side === FINEST) return fine
    coarse = fine
  }
}

/** Pairs of directions that are tried. */
export const PAIRS = 500

/** Between what `sample` says of its direction and what `evaluate` says. */
function disagreement(lobe: Lobe, wo: Vec3, seed: number): number {
  const random = new RandomStream(seed)
  let worst = 0
  for (let i = 0; i < PAIRS; i++) {
    const sample = lobe.sample(wo, [random.next(), random.next(), random.next()])
    if (!sample || sample.smooth) continue
    const again = lobe.evaluate(wo, sample.wi)
    worst = Math.max(
      worst,
      relative(sample.pdf, again.pdf),
      ...sample.value.map((x, i) => relative(x, again.value[i]!)),
    )
  }
  return worst
}

export const relative = (a: number, b: number): number =>
  a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))
