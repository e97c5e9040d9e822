/** Single answers of the path tracer's parts, for tests: what is exported here is what paths call. */
import { Answer, Light, LightKind, Scene } from '../records'
import { turnsOf } from '../surface/math/arctangent'
import { exponential, logarithm } from '../surface/math/exponential'
import { onCircle } from '../surface/math/trig'
import { choicesIn, chooseDistant, DISTANT, restOfDistant } from './lights/choose'
import { meetDistant } from './lights/distant'
import { facingOf } from './lights/facing'
import { meetLamp, sampleChosen, sampleFar } from './lights/lights'
import { meetMap } from './lights/map'
import { chanceOf, chooseNear, chosenNumber, rest } from './lights/tree'
import { triangleDensity } from './lights/triangle'
import { ownRatio, setRatio } from './lobes/boundary'
import { beginHit, evaluate, sample } from './lobes/lobes'
import { answer, blue, density, green, red, x, y, z } from './result'
import { drawPair, firstNumber, mirrored, patchSeed } from './sampler'

/** Writes an answer. */
export function probeLobe(
  out: u32,
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  w: f64,
  u: f64,
  v: f64,
): void {
  setRatio(material, side, ownRatio(material, side))
  beginHit(1, 1, 1)
  const circle = onCircle(u)
  sample(material, side, ox, oy, oz, w, f64x2.extract_lane(circle, 0), f64x2.extract_lane(circle, 1), v)
  storeDirection(out)
  storeValue(out)
}

/** Value and density for a given direction. */
export function probeDirection(
  out: u32,
  material: u32,
  side: f64,
  ox: f64,
  oy: f64,
  oz: f64,
  ix: f64,
  iy: f64,
  iz: f64,
): void {
  setRatio(material, side, ownRatio(material, side))
  beginHit(1, 1, 1)
  evaluate(material, side, ox, oy, oz, ix, iy, iz)
  storeValue(out)
}

/** The same for next-event estimation at a point, of the first group that has lights: the density includes the choice of the light. */
export function probeLight(out: u32, facing: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  if (choicesIn(DISTANT) > 0) {
    const number = chooseDistant(u)
    const circle = onCircle(restOfDistant)
    sampleFar(number, facing, restOfDistant, f64x2.extract_lane(circle, 0), f64x2.extract_lane(circle, 1), v)
  } else {
    const probability = chooseNear(px, py, pz, u)
    sampleChosen(chosenNumber, rest, probability, px, py, pz, v)
  }
  storeDirection(out)
  storeValue(out)
}

/** The radiance of light number `index` along a ray from a point, and the density with which next-event estimation chooses its direction. */
export function probeMeeting(out: u32, index: u32, facing: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const light = Scene.lights() + index * Light.BYTES
  if (Light.kind(light) == LightKind.MAP) meetMap(facing, dx, dy, dz)
  else if (Light.kind(light) == LightKind.DISTANT) meetDistant(light, dx, dy, dz)
  else meetLamp(light, px, py, pz, dx, dy, dz)
  const kind = Light.kind(light)
  const isDistant = kind == LightKind.MAP || kind == LightKind.DISTANT
  answer(red, green, blue, density * (isDistant ? Light.probability(light) : chanceOf(index, px, py, pz)))
  storeValue(out)
}

/** The facing of a surface with such a normal. */
export function probeFacing(nx: f64, ny: f64, nz: f64): u32 {
  return facingOf(nx, ny, nz)
}

/** Which light in the scene a number in [0, 1) chooses for a point: its number, or the one behind all of them for none. */
export function probeChoice(px: f64, py: f64, pz: f64, u: f64): u32 {
  return chooseNear(px, py, pz, u) > 0 ? chosenNumber : Scene.lightCount() + Scene.cellCount()
}

/** Probability with which a light in the scene is chosen for a point. */
export function probeChance(number: u32, px: f64, py: f64, pz: f64): f64 {
  return chanceOf(number, px, py, pz)
}

/** Density with which the direction from a point to one of an emissive triangle is chosen. */
export function probeTriangle(id: u32, b: f64, c: f64, px: f64, py: f64, pz: f64, distance: f64, cosine: f64): f64 {
  return triangleDensity(id, b, c, px, py, pz, distance, cosine)
}

@inline
function storeDirection(out: u32): void {
  Answer.setDirectionX(out, x)
  Answer.setDirectionY(out, y)
  Answer.setDirectionZ(out, z)
}

function storeValue(out: u32): void {
  Answer.setValueRed(out, red)
  Answer.setValueGreen(out, green)
  Answer.setValueBlue(out, blue)
  Answer.setDensity(out, density)
}

/** Writes the numbers of four samples that follow each other, four Drawn with all of their pairs, see `sampler.ts`. */
export function probeSampler(out: u32, seed: u32, set: u32, number: u32): void {
  const numbers = mirrored(i32x4.add(i32x4.splat(number), i32x4(0, 1, 2, 3)))
  for (let pair: u32 = 0; pair < 4; pair++) drawPair(out, pair, i32x4.splat(seed), i32x4.splat(set), numbers)
}

/** What makes the numbers of a pixel its own. */
export function probeSeed(x: u32, y: u32, frame: u32): u32 {
  return patchSeed(x, y, frame)
}

export function probeFirst(x: u32, y: u32, bits: u32): u32 {
  return firstNumber(x, y, bits)
}

/** Functions that the path tracer needs of its own. */
export function probeExponential(x: f64): f64 {
  return exponential(x)
}

export function probeLogarithm(x: f64): f64 {
  return logarithm(x)
}

export function probeTurns(y: f64, x: f64): f64 {
  return turnsOf(y, x)
}
