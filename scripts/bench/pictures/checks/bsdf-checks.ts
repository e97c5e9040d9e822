/**
 * Laws that every lobe keeps, whatever its model: it samples as it says (`sampling.ts`), light may travel the other way round (Helmholtz; between media by the squares of their
 * indices, Veach, "Robust Monte Carlo Methods for Light Transport Simulation", 1997, §5.2), and it does not make light.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Lobe } from '../model/lobe.ts'
import { RandomStream } from '../naive/random-stream.ts'
import { atMost, type Check } from './check.ts'
import { direction, PAIRS, relative, samplingChecks } from './sampling.ts'

export interface LobeSubject {
  readonly name: string
  readonly lobe: Lobe
  /** Index of refraction below the surface; absent for a lobe that lets nothing pass. */
  readonly ior?: number
  /** Largest relative difference between two ways to the same number. @default 1e-9 */
  readonly precision?: number
  /** Whether it is white, and scatters all light. @default false */
  readonly white?: boolean
}

/** All of them. The number of samples is per direction. */
export function checkLobe(
  { name, lobe, ior, precision = 1e-9, white = false }: LobeSubject,
  samples: number,
  seed: number,
): Check[] {
  const directions = ior === undefined ? ABOVE : [...ABOVE, ...BELOW]
  const albedos = directions.map(wo => albedoOfLobe(lobe, wo, samples, seed, ior))
  const shine = Math.max(...albedos.map(({ mean, error }) => Math.max(...mean) - 4 * error))
  const loss = Math.max(...albedos.map(({ mean, error }) => 1 - Math.min(...mean) - 4 * error))
  return [
    ...samplingChecks(name, lobe, directions, { samples, seed, precision }),
    atMost(`${name}: reciprocity, relative`, irreciprocity(lobe, seed, ior), precision),
    atMost(
      `${name}: reflected light, less 4 standard errors`,
      shine,
      1 + (white ? MOST_GAIN : Math.max(1e-4, precision)),
    ),
    ...(white ? [atMost(`${name}: lost light, less 4 standard errors`, loss, MOST_LOSS)] : []),
  ]
}

/** Of white surfaces, whose albedos are tables: between their entries, either may be a little off. */
const MOST_LOSS = 0.01
const MOST_GAIN = 0.005

const ABOVE = [direction(0.98, 0.7), direction(0.6, 2.9), direction(0.15, -1.8)]
const BELOW = [direction(-0.9, 0.7), direction(-0.5, 2.9)]

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
