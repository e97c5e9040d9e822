/** How rays of paths pass surfaces (`surface/pass.ts`): blends and sheets by chance, with what the light of a path gains or loses there. */
import {
  ID_MASK,
  MATERIAL_PASSING,
  PASSING_BACKS,
  PASSING_SHEET,
  PASSING_SOME,
  RAY_HIT,
  RAY_INSTANCE,
  SCENE,
  SCENE_LAMPS,
  TRIANGLE4_IDS,
} from '../layout'
import { hasInstances } from '../placed-triangle'
import { colorAt, passOn } from '../surface/pass'
import { HIT_MATERIAL } from '../surface/records'
import { numberInScene } from '../triangle-number'
import { addLights } from './hits'
import { mixedWord } from './sampler'
import { RAY_NUMBER, RAY_PIXEL, raysOf, STATE_SCATTERED, STATE_SEED, STATE_WEIGHT, stateOf } from './state'

/** Passages of shadow rays: what passes sheets goes straight on. */
export const SHADOW_PASSAGES: u32 = PASSING_SOME | PASSING_SHEET
const UNIT: f32 = 1.0 / 4294967296.0

let passingQueue: u32 = 0

/** Sends the traced rays of a queue on through what lets them pass. */
export function passPaths(queue: u32, count: u32): void {
  passingQueue = queue
  passOn<PathRays>(raysOf(queue), count)
}

@unmanaged
class PathRays {
  @inline
  passages(camera: bool): u32 {
    return PASSING_SOME | (camera ? PASSING_BACKS : PASSING_SHEET)
  }

  @inline
  isCamera(ray: u32): bool {
    return load<u32>(stateOf(passingQueue, ray), STATE_SCATTERED) == 0
  }

  @inline
  chance(ray: u32): f32 {
    return chanceOf(ray, stateOf(passingQueue, ray))
  }

  @inline
  pass(ray: u32, hit: u32, surface: u32): void {
    goOn(ray, stateOf(passingQueue, ray), hit, surface)
  }
}

/** A number in [0, 1) for a path at a triangle. */
@inline
function chanceOf(ray: u32, state: u32): f32 {
  const own = load<u32>(load<u32>(ray, RAY_HIT), TRIANGLE4_IDS) & ID_MASK
  const id = hasInstances() ? numberInScene(own, load<u32>(ray, RAY_INSTANCE)) : own
  const path = mixedWord(load<u32>(ray, RAY_NUMBER) + mixedWord(load<u32>(state, STATE_SEED) + load<u32>(state, STATE_SCATTERED)))
  // As many bits as a float has: rounding must not make 1 of it.
  return <f32>(mixedWord(path + id) & 0xffffff00) * UNIT
}

/**
 * Lamps in front of a surface that a path passes are added before its weight changes, and sheets of glass tint it. The density of its
 * direction stays: next-event estimation could have sampled a light behind a sheet instead.
 */
function goOn(ray: u32, state: u32, hit: u32, surface: u32): void {
  if (load<u32>(SCENE, SCENE_LAMPS) != 0 && load<u32>(state, STATE_SCATTERED) > 0)
    addLights(ray, state, load<u32>(ray, RAY_PIXEL), false, true)
  const material = load<u32>(hit, HIT_MATERIAL)
  if ((load<u32>(material, MATERIAL_PASSING) & PASSING_SHEET) == 0) return
  // What follows the weight is the density.
  const tint = f32x4.replace_lane(colorAt(surface, hit, material), 3, 1)
  v128.store(state, f32x4.mul(v128.load(state, STATE_WEIGHT), tint), STATE_WEIGHT)
}
