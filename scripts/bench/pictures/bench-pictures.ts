/**
 * Whether pictures are right: a tracer against formulas, and against another tracer on scenes that no formula answers. With
 * equal programs every run gives the same figures: all random numbers have fixed seeds.
 */
import { setImmediate } from 'node:timers/promises'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { checkLobe, type LobeSubject } from './checks/bsdf-checks.ts'
import type { Check } from './checks/check.ts'
import {
  type Convergence,
  checkConvergence,
  checkNeighbours,
  convergenceOf,
  type Draw,
  INTEGRANDS,
} from './checks/convergence.ts'
import { judge } from './checks/judge.ts'
import { samplingChecks } from './checks/sampling.ts'
import { cameraPictures } from './known/cameras.ts'
import { checkKnown } from './known/known-picture.ts'
import { lightPictures } from './known/lights.ts'
import { materialPictures } from './known/materials.ts'
import type { Estimate } from './model/estimate.ts'
import type { LightSubject } from './model/lobe.ts'
import { estimated, type Tracer } from './model/tracer.ts'
import { type ComparedScene, comparedScenes } from './scenes/compared-scenes.ts'
import { viewOf } from './scenes/views.ts'

export interface PicturesBenchOptions {
  /** The tracer that is checked. */
  readonly ours: Tracer
  /** What it is compared with. */
  readonly theirs: Tracer
  /** Held to the laws of lobes. */
  readonly lobes: readonly LobeSubject[]
  /** Held to choosing directions as they say. */
  readonly lights: readonly LightSubject[]
  /** Random numbers of the tracer. */
  readonly draw: Draw
  /** Small and noisy, for tests: only gross errors are found. */
  readonly quick: boolean
}

export interface PicturesBench {
  readonly checks: readonly Check[]
  readonly pictures: readonly ComparedPicture[]
  readonly convergence: readonly Convergence[]
}

export interface ComparedPicture {
  readonly scene: ComparedScene
  readonly ours: Estimate
  readonly theirs: Estimate
  readonly checks: readonly Check[]
}

/** Per known picture and pixel; per lobe and direction; per light, with so many midpoints across a bin; and of compared scenes, the side in px and renderings of so many samples. */
const FULL = {
  known: 1024,
  lobe: 200_000,
  directions: 50_000,
  coarsest: 32,
  side: 64,
  renderings: 16,
  samples: 32,
  resolution: 0.03,
} as const
const QUICK = {
  known: 32,
  lobe: 2000,
  directions: 10_000,
  coarsest: 16,
  side: 16,
  renderings: 8,
  samples: 8,
  resolution: 0.5,
} as const
const LOBE_SEED = 7
/** Lights do not care who looks. */
const UPWARDS: Vec3 = [0, 0, 1]
const LIGHT_CHECKS = { seed: LOBE_SEED, precision: 1e-6 }
const SAMPLED_PIXELS = 256

/** Rejects with what a tracer throws, or with the signal's reason. */
export async function benchPictures(
  { ours, theirs, lobes, lights, draw, quick }: PicturesBenchOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<PicturesBench> {
  const { known, lobe, directions, coarsest, side, renderings, samples, resolution } = quick ? QUICK : FULL
  const checks: Check[] = []
  const start = async (line: string): Promise<void> => {
    // Checks are synchronous for the most part: let interruptions be heard between them.
    await setImmediate()
    signal.throwIfAborted()
    progress(line)
  }

  for (const subject of lobes) {
    await start(`laws of lobes: ${subject.name}`)
    checks.push(...checkLobe(subject, lobe, LOBE_SEED))
  }
  for (const { name, light } of lights) {
    await start(`directions towards lights: ${name}`)
    checks.push(...samplingChecks(name, light, [UPWARDS], { ...LIGHT_CHECKS, samples: directions, coarsest }))
  }
  for (const picture of [...materialPictures(known), ...lightPictures(known), ...cameraPictures(known)]) {
    await start(`known picture: ${picture.name}`)
    checks.push(await checkKnown(picture, ours))
  }
  const convergence: Convergence[] = []
  for (const integrand of INTEGRANDS) {
    await start(`sampler: ${integrand.name}`)
    convergence.push(convergenceOf(integrand, draw, SAMPLED_PIXELS))
    checks.push(...checkConvergence(convergence.at(-1)!), ...checkNeighbours(integrand, draw))
  }
  const pictures: ComparedPicture[] = []
  for (const compared of comparedScenes()) {
    const { name, scene, camera, bounces, filter } = compared
    const view = viewOf(camera, [side, side], { samples, bounces, ...(filter && { filter }) })
    const [own, other] = await Promise.all(
      [ours, theirs].map(async tracer => {
        await start(`${name}: ${tracer.name}`)
        return estimated(tracer, scene, view, renderings, signal)
      }),
    )
    const found = judge(name, own!, other!, { resolution })
    checks.push(...found)
    pictures.push({ scene: compared, ours: own!, theirs: other!, checks: found })
  }
  return { checks, pictures, convergence }
}
