/** How light is computed for the frames of a program, with the defaults of the chosen integrator. */
import { UsageError } from '../../shared/errors.ts'
import type { Quality } from '../../shared/frame/view.ts'

export interface QualityOptions {
  /**
   * `ambient` is fast: sun, sky with ambient occlusion, mirrors and glass. `path` computes all light as it is.
   * @default ambient, or path if `bounces` or `noise` is given
   */
  readonly integrator?: 'ambient' | 'path'
  /**
   * Camera rays per pixel, 1 to 1024, of `path` to 16384; with `noise` the most, from 32 on.
   * @default 2, of `path` 64, with `noise` 1024
   */
  readonly samples?: number
  /** `ambient`: rays to the sky per camera ray, 0 to 64. @default 2 */
  readonly ambientRays?: number
  /** `ambient`: longest chain of mirror and glass hits, 0 to 16. @default 6 */
  readonly maxDepth?: number
  /** `path`: how often light is scattered on its way, 0 (direct light only) to 1024. @default 8 */
  readonly bounces?: number
  /** `path`: over what the samples of a pixel are averaged. @default box */
  readonly filter?: 'box' | 'gaussian'
  /** `path`: whether rough metal and glass lose the light that microfacets scatter several times. @default false */
  readonly singleScattering?: boolean
  /**
   * `path`: adaptive frames. A cell of 8 × 8 px gets samples until its standard error is at most this share of its light (of near
   * black, of a little light), above 0 to 1. @default every pixel gets all samples
   */
  readonly noise?: number
}

/** An option that the chosen integrator does not have. */
export class QualityOptionError extends UsageError {
  readonly code = 'BAD_QUALITY'
}

/** Defaults; values are checked where they are used. */
export const AMBIENT_QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 } as const
export const PATH_QUALITY = { samples: 64, bounces: 8 } as const
export const ADAPTIVE_SAMPLES = 1024

/** @throws QualityOptionError */
export function qualityOf(options: QualityOptions): Quality {
  const { bounces, filter, noise, singleScattering } = options
  const { integrator = (bounces ?? noise) === undefined ? 'ambient' : 'path' } = options
  if (integrator !== 'ambient' && integrator !== 'path')
    throw new QualityOptionError(`integrator: expected ambient or path, got ${String(integrator)}`)
  if (integrator === 'ambient') {
    const stray = Object.entries({ bounces, filter, noise, singleScattering }).find(([, value]) => value !== undefined)
    if (stray) throw new QualityOptionError(`${stray[0]}: expected integrator 'path' with it, got ${stray[1]}`)
    const { samples, ambientRays, maxDepth } = { ...AMBIENT_QUALITY, ...options }
    return { samples, ambientRays, maxDepth }
  }
  return {
    samples: options.samples ?? (noise === undefined ? PATH_QUALITY.samples : ADAPTIVE_SAMPLES),
    ambientRays: 0,
    maxDepth: 0,
    bounces: bounces ?? PATH_QUALITY.bounces,
    ...(filter === undefined || filter === 'box' ? {} : { filter }),
    ...(singleScattering ? { singleScattering } : {}),
  }
}
