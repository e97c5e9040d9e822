/** The lights of a scene: sampled by next-event estimation, and hit by scattered rays. */
import { Light, LightKind, Scene, Sum } from '../../records'
import { accumulate } from '../../surface/accumulate'
import { three } from '../../surface/math/floats'
import { addSky } from '../../surface/sky'
import { sums } from '../../surface/workspace'
import { answer, blue, density, green, reach, red } from '../result'
import { choose } from './choose'
import { meetDistant, sampleDistant } from './distant'
import { meetMap, sampleMap } from './map'
import { meetRectangle, sampleRectangle } from './rectangle'
import { meetSphere, sampleSphere } from './sphere'
import { sampleTriangle } from './triangle'

/**
 * Answers a direction from (px, py, pz) towards a light of a group that is not empty, its light (of lights without a size: the irradiance), the density per solid
 * angle of the direction (0 for lights without a size), and its reach. Returns the probability that light of a light without a size
 * has still to be divided by; 1 otherwise.
 */
export function sampleLight(group: u32, px: f64, py: f64, pz: f64, w: f64, u: f64, v: f64): f64 {
  const number = choose(group, w)
  const lights = Scene.lightCount()
  if (number >= lights) {
    sampleTriangle(number - lights, px, py, pz, u, v)
    return 1
  }
  const light = Scene.lights() + number * Light.BYTES
  const kind = Light.kind(light)
  if (kind == LightKind.DISTANT) sampleDistant(light, u, v)
  else if (kind == LightKind.RECTANGLE) sampleRectangle(light, px, py, pz, u, v)
  else if (kind == LightKind.MAP) sampleMap(u, v)
  else sampleSphere(light, px, py, pz, u, v)
  const probability = Light.probability(light)
  if (density == 0) return probability
  answer(red, green, blue, density * probability)
  return 1
}

/** Weight of light found with density `own`, which the other technique would have found with density `other` (power heuristic). */
@inline
export function weightOf(own: f64, other: f64): f64 {
  // As a ratio: squares of densities may overflow.
  const ratio = other / own
  return 1 / (1 + ratio * ratio)
}

/**
 * Adds the light of lamps that a scattered ray with a unit direction passes between `from` and `distance`: they do not stop it. `chosen` is the
 * density of its direction, 0 if next-event estimation could not have found the light; the weights include the pixel's share.
 */
export function addLamps(
  pixel: u32,
  px: f64,
  py: f64,
  pz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  from: f64,
  distance: f64,
  chosen: f64,
  weightRed: f64,
  weightGreen: f64,
  weightBlue: f64,
): void {
  let light = Scene.lights()
  const end = light + Scene.lightCount() * Light.BYTES
  for (; light < end; light += Light.BYTES) {
    const kind = Light.kind(light)
    if (kind == LightKind.MAP || (kind == LightKind.DISTANT && distance != Infinity)) continue
    meetLamp(light, px, py, pz, dx, dy, dz)
    if (density == 0 || (kind != LightKind.DISTANT && (reach >= distance || reach < from))) continue
    const weight = chosen > 0 ? weightOf(chosen, density * Light.probability(light)) : 1
    accumulate(
      sums + pixel * Sum.BYTES,
      weightRed * red * weight,
      weightGreen * green * weight,
      weightBlue * blue * weight,
    )
  }
}

/** Answers the radiance of a light, not the map, that a scattered ray hits; a density of 0 if it misses it. */
export function meetLamp(light: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const kind = Light.kind(light)
  if (kind == LightKind.RECTANGLE) meetRectangle(light, px, py, pz, dx, dy, dz)
  else if (kind == LightKind.DISTANT) meetDistant(light, dx, dy, dz)
  else meetSphere(light, px, py, pz, dx, dy, dz)
}

/** Adds the sky, or the environment map, that a ray sees in a unit direction. */
export function addSurroundings(
  pixel: u32,
  dx: f64,
  dy: f64,
  dz: f64,
  chosen: f64,
  weightRed: f64,
  weightGreen: f64,
  weightBlue: f64,
): void {
  const sum = sums + pixel * Sum.BYTES
  if (Scene.map() == 0) {
    // Smooth: it is left to scattered rays alone.
    addSky(sum, <f32>dy, three(<f32>weightRed, <f32>weightGreen, <f32>weightBlue))
    return
  }
  meetMap(dx, dy, dz)
  const weight = chosen > 0 ? weightOf(chosen, density * Scene.mapProbability()) : 1
  accumulate(sum, weightRed * red * weight, weightGreen * green * weight, weightBlue * blue * weight)
}
