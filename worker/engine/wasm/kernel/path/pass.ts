/** How rays of paths pass surfaces (`surface/pass.ts`): blends and sheets by chance, with what the light of a path gains or loses there. */
import { Hit, Id, Passing, Path, Ray, Scene, Triangle4 } from '../records'
import { hasInstances } from '../placed-triangle'
import { colorAt, passedSheet, passOn } from '../surface/pass'
import { numberInScene } from '../triangle-number'
import { addLights } from './hits'
import { mixedWord } from './sampler'
import { raysOf, stateOf } from './state'

/** Passages of shadow rays: what passes sheets goes straight on. */
export const SHADOW_PASSAGES: u32 = Passing.SOME | Passing.SHEET
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
    return Passing.SOME | (camera ? Passing.BACKS : Passing.SHEET)
  }

  @inline
  isCamera(ray: u32): bool {
    return Path.scattered(stateOf(passingQueue, ray)) == 0
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
  const own = Triangle4.id(Ray.hit(ray)) & Id.MASK
  const id = hasInstances() ? numberInScene(own, Ray.instance(ray)) : own
  const path = mixedWord(Ray.number(ray) + mixedWord(Path.seed(state) + Path.scattered(state)))
  // As many bits as a float has: rounding must not make 1 of it.
  return <f32>(mixedWord(path + id) & 0xffffff00) * UNIT
}

/**
 * Lamps in front of a surface that a path passes are added before its weight changes, and sheets of glass tint it. The density of its
 * direction stays: next-event estimation could have sampled a light behind a sheet instead.
 */
function goOn(ray: u32, state: u32, hit: u32, surface: u32): void {
  if (Scene.lamps() != 0 && Path.scattered(state) > 0)
    addLights(ray, state, Ray.pixel(ray), false, true)
  if (!passedSheet) return
  // What follows the weight is the density.
  const tint = f32x4.replace_lane(colorAt(surface, hit, Hit.material(hit)), 3, 1)
  Path.setWeight(state, f32x4.mul(Path.weight(state), tint))
}
