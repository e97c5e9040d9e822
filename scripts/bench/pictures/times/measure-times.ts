/** Two tracers side by side, one thread each and in turn: the CPU time that each takes to the same error. */
import { setImmediate } from 'node:timers/promises'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { View } from '../../../../shared/frame/view.ts'
import type { Check } from '../checks/check.ts'
import { judge } from '../checks/judge.ts'
import type { Estimate } from '../model/estimate.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { TimedTracer } from '../model/timed-tracer.ts'
import { estimated } from '../model/tracer.ts'
import type { ComparedScene } from '../scenes/compared-scenes.ts'
import { viewOf } from '../scenes/views.ts'
import {
  commonReference,
  type Fit,
  fitError,
  type Measured,
  relativeError,
  secondsTo,
  timeRatio,
} from './time-to-error.ts'

export interface TimesOptions<Scene> {
  readonly ours: TimedTracer<Scene>
  readonly theirs: TimedTracer<Scene>
  /** Ours, with its pictures denoised. */
  readonly denoised: TimedTracer<Scene>
  readonly scenes: readonly ComparedScene<Scene>[]
  readonly size: Size
  /** Samples per pixel that are measured, ascending; every one in each round. */
  readonly samples: readonly number[]
  /** Those of denoised pictures. */
  readonly denoisedSamples: readonly number[]
  readonly rounds: number
  /** Each tracer's part of the reference. */
  readonly reference: { readonly renderings: number; readonly samples: number }
  /** Difference of brightness that may go unnoticed, relative. */
  readonly resolution: number
}

export interface SceneTimes<Scene = PlainScene> {
  readonly scene: ComparedScene<Scene>
  /** Each tracer's own picture, of all samples of its part of the reference. */
  readonly pictures: { readonly ours: Estimate; readonly theirs: Estimate }
  /** Whether both show the same light. If not, each is compared with its own picture, and its times are those to its own light. */
  readonly checks: readonly Check[]
  readonly ours: TracerTimes
  readonly theirs: TracerTimes
  /** Seconds of `ours` over those of `theirs`, to the same error. */
  readonly ratio: number
  readonly denoised: DenoisedTimes
}

/** What a denoised picture errs by is no noise: it has no time to any error, each of its pictures is compared by itself. */
export interface DenoisedTimes {
  readonly name: string
  /** With seconds over those of `theirs` to the same error. */
  readonly points: readonly (Measured & { readonly ratio: number })[]
}

export interface TracerTimes extends Fit {
  readonly name: string
  /** Camera rays per second of CPU time. */
  readonly samplesPerSecond: number
  readonly secondsToError: number
  readonly points: readonly Measured[]
}

/** Relative square error of which times are told: noise that is just seen. */
export const ERROR = 0.001

/** Frames of the reference are not among those that are measured. */
const REFERENCE_FRAME = 1_000_000

export async function measureTimes<Scene>(
  options: TimesOptions<Scene>,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<SceneTimes<Scene>[]> {
  const { ours, theirs, denoised, scenes, size, rounds, reference, resolution } = options
  const results: SceneTimes<Scene>[] = []
  for (const compared of scenes) {
    const { name, scene, camera, bounces, filter } = compared
    const viewWith = (count: number, frame: number): View => ({
      ...viewOf(camera, size, { samples: count, bounces, ...(filter && { filter }) }),
      frame,
    })
    const converged = async (tracer: TimedTracer<Scene>): Promise<Estimate> => {
      progress(`${name}: reference by ${tracer.name}`)
      return estimated(tracer, scene, viewWith(reference.samples, REFERENCE_FRAME), reference.renderings, signal)
    }
    const pictures = { ours: await converged(ours), theirs: await converged(theirs) }
    const checks = judge(name, pictures.ours, pictures.theirs, { resolution })
    const same = checks.every(({ ok }) => ok)
    const common = commonReference(pictures.ours, pictures.theirs)

    const own = same ? common : pictures.ours
    const sides = [
      { tracer: ours, reference: own, points: sumsOf(options.samples) },
      { tracer: theirs, reference: same ? common : pictures.theirs, points: sumsOf(options.samples) },
      { tracer: denoised, reference: own, points: sumsOf(options.denoisedSamples) },
    ] as const
    for (let round = 0; round < rounds; round++) {
      progress(`${name}: round ${round + 1} of ${rounds}`)
      for (const { tracer, reference, points } of sides)
        for (const point of points) {
          await setImmediate()
          signal.throwIfAborted()
          const { picture, cpuSeconds } = await tracer.traceTimed(scene, viewWith(point.samples, round))
          point.seconds += cpuSeconds / rounds
          point.error += relativeError(picture, reference) / rounds
        }
    }
    const pixels = size[0] * size[1]
    const [a, b] = [timesOf(ours.name, sides[0].points, pixels), timesOf(theirs.name, sides[1].points, pixels)]
    const clean = sides[2].points.map(point => ({ ...point, ratio: point.seconds / secondsTo(b, point.error) }))
    results.push({
      scene: compared,
      pictures,
      checks,
      ours: a,
      theirs: b,
      ratio: timeRatio(a, b),
      denoised: { name: denoised.name, points: clean },
    })
  }
  return results
}

const sumsOf = (samples: readonly number[]) => samples.map(count => ({ samples: count, seconds: 0, error: 0 }))

function timesOf(name: string, points: readonly Measured[], pixels: number): TracerTimes {
  // Below the noise of its reference, an error cannot be told.
  const fit = fitError(points.filter(({ error }) => error > 0))
  const total = (of: (point: Measured) => number): number => points.reduce((sum, point) => sum + of(point), 0)
  const samplesPerSecond = (pixels * total(point => point.samples)) / total(point => point.seconds)
  return { name, ...fit, samplesPerSecond, secondsToError: secondsTo(fit, ERROR), points }
}
