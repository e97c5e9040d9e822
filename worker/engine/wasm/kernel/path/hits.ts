/**
 * The hits of a traced queue, ordered by how their materials scatter light: neighbours then take the same branches. What shading
 * needs of each is fetched beforehand in short loops, so that the processor has many memory accesses in flight at once.
 */
import { Hit, Material, Met, Model, Path, Ray, Scene } from '../records'
import { hasInstances, hitParts } from '../placed-triangle'
import { countSteps } from '../surface/steps'
import { touchTriangles, touchVertices } from '../surface/touch'
import { depths, fromSample, hasFeatures, share, transparent } from '../surface/workspace'
import { firstParts } from '../triangle-parts'
import { densityOf, dropsLights } from './fireflies'
import { gazeOf, isGazing, seeSurroundings } from './gaze'
import { addLamps, addMap, addSky } from './lights/lights'
import { leftBlue, leftGreen, leftRed, pass } from './media'
import { countOf, raysOf, stateOf } from './state'
import { bounces, hits, met, places, sampleBits } from './workspace'

/** Work of shading a hit, in traversal steps. */
const SHADING_STEPS: u32 = 20

/**
 * Writes the ordered hit list of a queue's traced rays, and returns its end. Adds the light that rays see which hit nothing, and that
 * of lamps which they pass.
 */
export function orderHits(queue: u32): u32 {
  const first = hits
  const metEnd = listMet(queue)
  let place: u32 = 0
  for (let model: u32 = 0; model < Model.COUNT; model++) {
    const count = load<u32>(places + model * 4)
    store<u32>(places + model * 4, place)
    place += count
  }
  for (let entry = met; entry < metEnd; entry += Met.BYTES) {
    const next = places + Met.model(entry) * 4
    const hit = first + load<u32>(next) * Hit.BYTES
    store<u32>(next, load<u32>(next) + 1)
    const ray = Met.ray(entry)
    Hit.setRay(hit, ray)
    Hit.setWeight(hit, stateOf(queue, ray))
    Hit.setInstance(hit, Met.instance(entry))
    Hit.setParts(hit, Met.parts(entry))
  }
  const end = first + place * Hit.BYTES
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
  memory.fill(places, 0, Model.COUNT * 4)
  let entry = met
  let ray = raysOf(queue)
  const end = ray + countOf(queue) * Ray.BYTES
  const triangles = Scene.triangles()
  const first = firstParts()
  const instances = hasInstances()
  const lamps = Scene.lamps() != 0
  touchTriangles(ray, end)
  for (; ray < end; ray += Ray.BYTES) {
    const pixel = Ray.pixel(ray)
    const state = stateOf(queue, ray)
    const slot = Ray.hit(ray)
    countSteps(pixel, ray, slot == 0 ? 0 : SHADING_STEPS)
    const scattered = Path.scattered(state)
    if (scattered == 0 && isFirst(Ray.number(ray)))
      store<f32>(depths + pixel * 4, slot != 0 ? Ray.tMax(ray) : Infinity)
    if (slot == 0) {
      if (hasFeatures && isGazing(gazeOf(queue, ray))) seeSurroundings(ray, state, pixel)
      if (scattered > 0 || !transparent) addLights(ray, state, pixel, true, scattered > 0)
      continue
    }
    if (lamps && scattered > 0) addLights(ray, state, pixel, false, true)
    const parts = hitParts(ray, slot, triangles, first, instances)
    const material = i32x4.extract_lane(parts, 3)
    const model = Material.model(material)
    // The last ray of a path is there for the light that it finds.
    if (scattered > bounces && !matters(material, model)) continue
    Met.setParts(entry, parts)
    Met.setRay(entry, ray)
    Met.setModel(entry, model)
    if (instances) Met.setInstance(entry, Ray.instance(ray))
    store<u32>(places + model * 4, load<u32>(places + model * 4) + 1)
    entry += Met.BYTES
  }
  return entry
}

/** Whether there is anything to do where the last ray of a path hits a material: it may shine, be seen, or not be there. */
@inline
function matters(material: u32, model: u32): bool {
  return Material.emits(material) != 0 || model == Model.UNLIT || Material.medium(material) != 0 || hasFeatures
}

/** Adds what a ray sees of the surroundings, if it missed everything, and of lamps, which only scattered rays see. */
export function addLights(ray: u32, state: u32, pixel: u32, missed: bool, lamps: bool): void {
  const dx: f64 = Ray.directionX(ray)
  const dy: f64 = Ray.directionY(ray)
  const dz: f64 = Ray.directionZ(ray)
  const length = sqrt<f64>(dx * dx + dy * dy + dz * dz)
  const chosen = densityOf(state)
  const scattered = Path.scattered(state)
  const dropped = dropsLights(state)
  const media = Path.media(state)
  const red = <f64>Path.weightRed(state) * share
  const green = <f64>Path.weightGreen(state) * share
  const blue = <f64>Path.weightBlue(state) * share
  if (missed) {
    let r = red
    let g = green
    let b = blue
    if (media != 0) {
      pass(media, Infinity)
      r *= leftRed
      g *= leftGreen
      b *= leftBlue
    }
    if (Scene.map() == 0) addSky(pixel, scattered, dy / length, r, g, b)
    else if (!dropped) addMap(pixel, scattered, Path.facing(state), dx / length, dy / length, dz / length, chosen, r, g, b)
  }
  if (!lamps || dropped) return
  addLamps(
    pixel,
    scattered,
    Ray.originX(ray),
    Ray.originY(ray),
    Ray.originZ(ray),
    dx / length,
    dy / length,
    dz / length,
    abs<f32>(Ray.tMin(ray)) * <f32>length,
    missed ? Infinity : <f64>Ray.tMax(ray) * length,
    media,
    chosen,
    red,
    green,
    blue,
  )
}
