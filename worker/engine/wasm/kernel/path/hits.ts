/**
 * The hits of a traced queue, ordered by how their materials scatter light: neighbours then take the same branches. What shading
 * needs of each is fetched beforehand in short loops, so that the processor has many memory accesses in flight at once.
 */
import {
  MATERIAL_MODEL,
  MODELS,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_HIT,
  RAY_INSTANCE,
  RAY_ORIGIN,
  RAY_T_MAX,
  RAY_T_MIN,
  SCENE,
  SCENE_LAMPS,
  SCENE_TRIANGLES_AT,
} from '../layout'
import { hasInstances, hitParts } from '../placed-triangle'
import { HIT_BYTES, HIT_INSTANCE, HIT_PARTS, HIT_RAY, HIT_WEIGHT } from '../surface/records'
import { countSteps } from '../surface/steps'
import { touchTriangles, touchVertices } from '../surface/touch'
import { depths, fromSample, share, transparent } from '../surface/workspace'
import { firstParts } from '../triangle-parts'
import { addLamps, addSurroundings } from './lights/lights'
import { countOf, RAY_NUMBER, RAY_PIXEL, raysOf, STATE_DENSITY, STATE_SCATTERED, STATE_WEIGHT, stateOf } from './state'
import { hits, met, places, sampleBits } from './workspace'

/** Work of shading a hit, in traversal steps. */
const SHADING_STEPS: u32 = 20

/** Entry of the unordered list: v128 parts of the triangle | u32 ray | model | instance | unused. As large as a hit. */
const MET_BYTES: u32 = HIT_BYTES

/**
 * Writes the ordered hit list of a queue's traced rays, and returns its end. Adds the light that rays see which hit nothing, and that
 * of lamps which they pass.
 */
export function orderHits(queue: u32): u32 {
  const first = hits
  const metEnd = listMet(queue)
  let place: u32 = 0
  for (let model: u32 = 0; model < MODELS; model++) {
    const count = load<u32>(places + model * 4)
    store<u32>(places + model * 4, place)
    place += count
  }
  for (let entry = met; entry < metEnd; entry += MET_BYTES) {
    const next = places + load<u32>(entry, 20) * 4
    const hit = first + load<u32>(next) * HIT_BYTES
    store<u32>(next, load<u32>(next) + 1)
    const ray = load<u32>(entry, 16)
    store<u32>(hit, ray, HIT_RAY)
    store<u32>(hit, stateOf(queue, ray), HIT_WEIGHT)
    store<u32>(hit, load<u32>(entry, 24), HIT_INSTANCE)
    v128.store(hit, v128.load(entry), HIT_PARTS)
  }
  const end = first + place * HIT_BYTES
  touchVertices(first, end)
  return end
}

/** Whether this is the first of a pixel's samples that are traced now. */
@inline
function isFirst(number: u32): bool {
  return (number & ((1 << sampleBits) - 1)) == fromSample
}

/** Lists the rays that hit a triangle, and counts them by model; handles the light of those that did not. Returns the list's end. */
function listMet(queue: u32): u32 {
  memory.fill(places, 0, MODELS * 4)
  let entry = met
  let ray = raysOf(queue)
  const end = ray + countOf(queue) * RAY_BYTES
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  const first = firstParts()
  const instances = hasInstances()
  const lamps = load<u32>(SCENE, SCENE_LAMPS) != 0
  touchTriangles(ray, end)
  for (; ray < end; ray += RAY_BYTES) {
    const pixel = load<u32>(ray, RAY_PIXEL)
    const state = stateOf(queue, ray)
    const slot = load<u32>(ray, RAY_HIT)
    countSteps(pixel, ray, slot == 0 ? 0 : SHADING_STEPS)
    const scattered = load<u32>(state, STATE_SCATTERED)
    if (scattered == 0 && isFirst(load<u32>(ray, RAY_NUMBER)))
      store<f32>(depths + pixel * 4, slot != 0 ? load<f32>(ray, RAY_T_MAX) : Infinity)
    if (slot == 0) {
      if (scattered > 0 || !transparent) addLights(ray, state, pixel, true, scattered > 0)
      continue
    }
    if (lamps && scattered > 0) addLights(ray, state, pixel, false, true)
    const parts = hitParts(ray, slot, triangles, first, instances)
    const material = i32x4.extract_lane(parts, 3)
    const model = load<u32>(material, MATERIAL_MODEL)
    v128.store(entry, parts)
    store<u32>(entry, ray, 16)
    store<u32>(entry, model, 20)
    if (instances) store<u32>(entry, load<u32>(ray, RAY_INSTANCE), 24)
    store<u32>(places + model * 4, load<u32>(places + model * 4) + 1)
    entry += MET_BYTES
  }
  return entry
}

/** Adds what a ray sees of the surroundings, if it missed everything, and of lamps, which only scattered rays see. */
export function addLights(ray: u32, state: u32, pixel: u32, missed: bool, lamps: bool): void {
  let dx: f64 = load<f32>(ray, RAY_DIRECTION)
  let dy: f64 = load<f32>(ray, RAY_DIRECTION + 4)
  let dz: f64 = load<f32>(ray, RAY_DIRECTION + 8)
  const length = sqrt<f64>(dx * dx + dy * dy + dz * dz)
  dx /= length
  dy /= length
  dz /= length
  const chosen: f64 = load<f32>(state, STATE_DENSITY)
  const red = <f64>load<f32>(state, STATE_WEIGHT) * share
  const green = <f64>load<f32>(state, STATE_WEIGHT + 4) * share
  const blue = <f64>load<f32>(state, STATE_WEIGHT + 8) * share
  if (missed) addSurroundings(pixel, dx, dy, dz, chosen, red, green, blue)
  if (!lamps) return
  const distance: f64 = missed ? Infinity : <f64>load<f32>(ray, RAY_T_MAX) * length
  addLamps(
    pixel,
    load<f32>(ray, RAY_ORIGIN),
    load<f32>(ray, RAY_ORIGIN + 4),
    load<f32>(ray, RAY_ORIGIN + 8),
    dx,
    dy,
    dz,
    load<f32>(ray, RAY_T_MIN) * <f32>length,
    distance,
    chosen,
    red,
    green,
    blue,
  )
}
