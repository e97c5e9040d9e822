/** The lights of a scene: sampled by next-event estimation, and hit by scattered rays. */
import { Choice, Light, LightGroup, LightKind, LightNode, Scene, Sum, TreeLight } from '../../records'
import { accumulate, accumulateFloats } from '../../surface/accumulate'
import { mul, splat, three } from '../../surface/math/floats'
import { skyAt } from '../../surface/sky'
import { sums } from '../../surface/workspace'
import { limitOf } from '../fireflies'
import { leftBlue, leftGreen, leftRed, pass } from '../media'
import { answer, answerNothing, blue, density, green, reach, red } from '../result'
import { lampStack } from '../workspace'
import { choicesIn, DISTANT } from './choose'
import { meetDistant, sampleDistant } from './distant'
import { meetMap, sampleMap } from './map'
import { meetRectangle, sampleRectangle } from './rectangle'
import { meetSphere, sampleSphere } from './sphere'
import { chanceOf, lanesWithLamps, setLampRay } from './tree'
import { sampleTriangle } from './triangle'

/**
 * Answers a direction towards a distant light, its light (without a size: the irradiance), the density per solid angle of the direction (0 for lights
 * without a size) with the choice of the light, and its reach. Returns the probability that light of a light without a size has still to be
 * divided by; 1 otherwise.
 * @param facing of the surface that asks @param within what is left of the number that chose the light @param cos of that as an angle, turns
 */
export function sampleFar(number: u32, facing: u32, within: f64, cos: f64, sin: f64, v: f64): f64 {
  const light = Scene.lights() + number * Light.BYTES
  if (Light.kind(light) == LightKind.DISTANT) sampleDistant(light, cos, sin, v)
  else sampleMap(facing, within, v)
  return withChoice(Light.probability(light))
}

/** The same of a light in the scene, or behind these of a cell of a triangle, from (px, py, pz). @param probability of the choice; 0 if there is none */
export function sampleChosen(number: u32, within: f64, probability: f64, px: f64, py: f64, pz: f64, v: f64): f64 {
  if (probability == 0) {
    answerNothing()
    return 1
  }
  const lights = Scene.lightCount()
  if (number >= lights) {
    sampleTriangle(number - lights, px, py, pz, within, v)
    answer(red, green, blue, density * probability)
    return 1
  }
  const light = Scene.lights() + number * Light.BYTES
  if (Light.kind(light) == LightKind.RECTANGLE) sampleRectangle(light, px, py, pz, within, v)
  else sampleSphere(light, px, py, pz, within, v)
  return withChoice(probability)
}

/** Multiplies the density answered by the probability with which the light was chosen, or returns that. */
@inline
function withChoice(probability: f64): f64 {
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
 * Adds the light of lamps that a scattered ray with a unit direction passes between `from` and `distance`, in one medium of `media`: they do not stop it. `chosen` is the
 * density of its direction, 0 if next-event estimation could not have found the light; the weights include the pixel's share.
 */
export function addLamps(
  pixel: u32,
  scattered: u32,
  px: f64,
  py: f64,
  pz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  from: f64,
  distance: f64,
  media: u32,
  chosen: f64,
  weightRed: f64,
  weightGreen: f64,
  weightBlue: f64,
): void {
  if (distance == Infinity) {
    const count = choicesIn(DISTANT)
    const choices = LightGroup.choices(Scene.groups(DISTANT))
    for (let i: u32 = 0; i < count; i++) {
      const light = Scene.lights() + Choice.own(choices + i * Choice.BYTES) * Light.BYTES
      if (Light.kind(light) == LightKind.MAP) continue
      meetDistant(light, dx, dy, dz)
      if (density == 0) continue
      const weight = chosen > 0 ? weightOf(chosen, density * Light.probability(light)) : 1
      pass(media, Infinity)
      addPassed(pixel, scattered, weightRed * weight, weightGreen * weight, weightBlue * weight)
    }
  }
  if (Scene.lamps() == 0) return
  const lights = Scene.lightCount()
  setLampRay(px, py, pz, dx, dy, dz, from, distance)
  store<u32>(lampStack, 0)
  for (let end = lampStack + 4; end > lampStack; ) {
    end -= 4
    const own = load<u32>(end)
    const node = Scene.lightTree() + own * LightNode.BYTES
    for (let lanes = lanesWithLamps(own); lanes != 0; lanes &= lanes - 1) {
      const child = node + ctz<u32>(lanes) * 4
      const first = LightNode.first(child)
      const count = LightNode.count(child)
      if (count == 0) {
        store<u32>(end, first)
        end += 4
        continue
      }
      const last = Scene.treeLights() + (first + count) * TreeLight.BYTES
      for (let entry = Scene.treeLights() + first * TreeLight.BYTES; entry < last; entry += TreeLight.BYTES) {
        const number = TreeLight.number(entry)
        if (number >= lights) continue
        meetLamp(Scene.lights() + number * Light.BYTES, px, py, pz, dx, dy, dz)
        if (density == 0 || reach >= distance || reach < from) continue
        const weight = chosen > 0 ? weightOf(chosen, density * chanceOf(number, px, py, pz)) : 1
        pass(media, reach)
        addPassed(pixel, scattered, weightRed * weight, weightGreen * weight, weightBlue * weight)
      }
    }
  }
}

/** Adds the light answered, of which media leave what they did last (`pass`). */
@inline
function addPassed(pixel: u32, scattered: u32, weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  addLimited(pixel, scattered, weightRed * red * leftRed, weightGreen * green * leftGreen, weightBlue * blue * leftBlue)
}

@inline
function addLimited(pixel: u32, scattered: u32, r: f64, g: f64, b: f64): void {
  const limit = limitOf(scattered, r, g, b)
  accumulate(sums + pixel * Sum.BYTES, r * limit, g * limit, b * limit)
}

/** Answers the radiance of a light in the scene that a scattered ray hits; a density of 0 if it misses it. */
export function meetLamp(light: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  if (Light.kind(light) == LightKind.RECTANGLE) meetRectangle(light, px, py, pz, dx, dy, dz)
  else meetSphere(light, px, py, pz, dx, dy, dz)
}

/** Adds the sky that a ray sees; `dy` is the upward component of its unit direction. It is smooth, and left to scattered rays alone. */
@inline
export function addSky(pixel: u32, scattered: u32, dy: f64, weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  const weight = three(<f32>weightRed, <f32>weightGreen, <f32>weightBlue)
  const light = mul(weight, skyAt(<f32>dy))
  const limit = limitOf(scattered, f32x4.extract_lane(light, 0), f32x4.extract_lane(light, 1), f32x4.extract_lane(light, 2))
  accumulateFloats(sums + pixel * Sum.BYTES, limit == 1 ? light : mul(light, splat(<f32>limit)))
}

/** Adds the environment map that a ray sees in a unit direction from a surface with a facing. */
export function addMap(
  pixel: u32,
  scattered: u32,
  facing: u32,
  dx: f64,
  dy: f64,
  dz: f64,
  chosen: f64,
  weightRed: f64,
  weightGreen: f64,
  weightBlue: f64,
): void {
  meetMap(facing, dx, dy, dz)
  const weight = chosen > 0 ? weightOf(chosen, density * Scene.mapProbability()) : 1
  addLimited(pixel, scattered, weightRed * weight * red, weightGreen * weight * green, weightBlue * weight * blue)
}
