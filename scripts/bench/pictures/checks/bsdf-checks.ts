/**
 * Laws that every lobe keeps, whoever wrote it: it samples as its density says (Pearson's χ² test, after Nori's and Mitsuba's), its
 * samples are worth what it evaluates to, light may travel the other way round (Helmholtz; between media by the squares of their
 * indices, Veach, "Robust Monte Carlo Methods for Light Transport Simulation", 1997, §5.2), and it does not make light.
 */
import type { Vec3 } from '../../../../shared/view.ts'
import type { Lobe } from '../model/lobe.ts'
import { RandomStream } from '../naive/random-stream.ts'
import { atMost, type Check } from './check.ts'
import { chiSquareTail } from './distributions.ts'

export interface LobeSubject {
  readonly name: string
  readonly lobe: Lobe
  /** Index of refraction below the surface; absent for a lobe that lets nothing pass. */
  readonly ior?: number
  /** Largest relative difference between two ways to the same number. @default 1e-9 */
  readonly precision?: number
}

/** All of them. The number of samples is per direction. */
export function checkLobe({ name, lobe, ior, precision = 1e-9 }: LobeSubject, samples: number, seed: number): Check[] {
  const directions = ior === undefined ? ABOVE : [...ABOVE, ...BELOW]
  const worst = (of: (wo: Vec3) => number): number => Math.max(...directions.map(of))
  const unlikely = Math.min(...directions.map(wo => samplingProbability(lobe, wo, samples, seed)))
  const shine = worst(wo => {
    const { mean, error } = albedoOfLobe(lobe, wo, samples, seed, ior)
    return Math.max(...mean) - 4 * error
  })
  return [
    atMost(`${name}: samples against density, -log10 p`, -Math.log10(unlikely), -Math.log10(sidak(directions.length))),
    atMost(
      `${name}: samples against values, relative`,
      worst(wo => disagreement(lobe, wo, seed)),
      precision,
    ),
    atMost(`${name}: reciprocity, relative`, irreciprocity(lobe, seed, ior), precision),
    atMost(`${name}: reflected light, less 4 standard errors`, shine, 1 + Math.max(1e-4, precision)),
  ]
}

const direction = (cosine: number, azimuth: number): Vec3 => {
  const sine = Math.sqrt(1 - cosine * cosine)
  return [sine * Math.cos(azimuth), sine * Math.sin(azimuth), cosine]
}
const ABOVE = [direction(0.98, 0.7), direction(0.6, 2.9), direction(0.15, -1.8)]
const BELOW = [direction(-0.9, 0.7), direction(-0.5, 2.9)]

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
export function samplingProbability(lobe: Lobe, wo: Vec3, samples: number, seed: number): number {
  const expected = Array.from({ length: COSINES * AZIMUTHS }, (_, bin) => samples * probability(lobe, wo, bin, samples))
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

/** Fewest and most midpoints per side of a bin; the most for the sharpest lobes. */
const COARSEST = 8
const FINEST = 128
/** Error of a bin's count that does not matter, in its standard deviations. */
const SMALL = 0.01

/** Integral of the density over a bin: midpoints, twice as many until nothing changes. */
function probability(lobe: Lobe, wo: Vec3, bin: number, samples: number): number {
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
  let coarse = sum(COARSEST)
  for (let side = 2 * COARSEST; ; side *= 2) {
    const fine = sum(side)
    if (Math.abs(fine - coarse) <= SMALL * Math.sqrt(fine / samples) || side === FINEST) return fine
    coarse = fine
  }
}

/** Pairs of directions that are tried. */
const PAIRS = 500

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

/** Between f(a, b) / n_a² and f(b, a) / n_b². */
function irreciprocity(lobe: Lobe, seed: number, ior?: number): number {
  const random = new RandomStream(seed)
  const indexOf = (w: Vec3): number => (w[2] > 0 ? 1 : (ior ?? 1))
  const any = (): Vec3 => {
    const cosine = 0.02 + 0.98 * random.next()
    return direction(ior !== undefined && random.next() < 0.5 ? -cosine : cosine, 2 * Math.PI * random.next())
  }
  let worst = 0
  for (let i = 0; i < PAIRS; i++) {
    const [a, b] = [any(), any()]
    const there = lobe.evaluate(a, b).value.map(x => x / Math.abs(b[2]) / indexOf(a) ** 2)
    const back = lobe.evaluate(b, a).value.map(x => x / Math.abs(a[2]) / indexOf(b) ** 2)
    worst = Math.max(worst, ...there.map((x, i) => relative(x, back[i]!)))
  }
  return worst
}

const relative = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)))

export interface MeasuredAlbedo {
  readonly mean: Vec3
  /** Largest standard error of the three. */
  readonly error: number
}

/** Share of the light from everywhere, of equal brightness but for its medium's index, that leaves towards `wo`. */
export function albedoOfLobe(lobe: Lobe, wo: Vec3, samples: number, seed: number, ior = 1): MeasuredAlbedo {
  const random = new RandomStream(seed)
  const [sums, squares] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  const index = (w: Vec3): number => (w[2] > 0 ? 1 : ior)
  for (let i = 0; i < samples; i++) {
    const sample = lobe.sample(wo, [random.next(), random.next(), random.next()])
    if (!sample) continue
    const radiance = (index(sample.wi) / index(wo)) ** 2 / sample.pdf
    sample.value.forEach((value, channel) => {
      sums[channel]! += value * radiance
      squares[channel]! += (value * radiance) ** 2
    })
  }
  const mean = sums.map(sum => sum / samples) as [number, number, number]
  const errors = squares.map((square, i) => Math.sqrt(Math.max(0, square / samples - mean[i]! ** 2) / samples))
  return { mean, error: Math.max(...errors) }
}
