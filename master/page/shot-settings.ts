/** What a frame of a view has instead of its session's order: coarse while it moves, and all of it, in passes, when it stands still. */
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Quality } from '../../shared/frame/view.ts'
import type { FrameSettings, SessionOrder } from '../../shared/protocol/session-order.ts'
import type { Shot } from './view-loop.ts'

/** More passes would not show more. */
export const MOST_PASSES = 16
/** A pass of a still takes about so long, ms: each has its price, because sums of light travel, and are added up. */
const PASS_MS = 1000
/** A still is coarse at first if it has more than so many times the rays then. */
const WORTH_A_FIRST = 2
/** Chains of mirrors and glass, and bounces of paths, while the view moves: where there is time for them, and where there is not. */
const MOVING_DEPTH = { deep: 2, flat: 0 } as const
const MOVING_BOUNCES = { deep: 2, flat: 1 } as const

/** @param rayMs what a ray takes the cluster, ms, as far as is known */
export function settingsOf(
  { quality, noise, denoise }: Pick<SessionOrder, 'quality' | 'noise' | 'denoise'>,
  {
    stage,
    size,
    isDeep,
    look,
  }: Pick<Shot, 'stage' | 'size' | 'isDeep'> & { readonly look?: Pick<Shot['look'], 'hand'> },
  rayMs?: number,
): FrameSettings {
  const { exposure, toneMapping } = look?.hand ?? {}
  const light = { ...(exposure === undefined ? {} : { exposure }), ...(toneMapping ? { toneMapping } : {}) }
  if (stage !== 'full')
    return { size, quality: movingQuality(quality, isDeep), passes: 1, progressive: false, ...light }
  const expectedMs = rayMs === undefined ? undefined : size[0] * size[1] * raysPerPixel(quality) * rayMs
  const passes = noise === undefined ? passesOf(quality.samples, expectedMs) : 1
  return {
    size,
    quality,
    passes,
    ...(noise === undefined ? {} : { noise }),
    ...(denoise ? { denoise } : {}),
    progressive: passes > 1 || noise !== undefined,
    ...light,
  }
}

/** Whether a still is coarse at first. */
export const hasFirst = (quality: Quality): boolean =>
  raysPerPixel(quality) > WORTH_A_FIRST * raysPerPixel(movingQuality(quality, true))

/** So many that there is something new to see from time to time. */
function passesOf(samples: number, expectedMs = Number.POSITIVE_INFINITY): number {
  return Math.min(MOST_PASSES, samples, Math.max(1, Math.round(expectedMs / PASS_MS)))
}

/** Sun and shadow only, or short paths; with one sample. */
function movingQuality(quality: Quality, isDeep: boolean): Quality {
  const of = isDeep ? 'deep' : 'flat'
  return quality.bounces === undefined
    ? { samples: 1, ambientRays: 0, maxDepth: Math.min(quality.maxDepth, MOVING_DEPTH[of]) }
    : { ...quality, samples: 1, bounces: Math.min(quality.bounces, MOVING_BOUNCES[of]) }
}
