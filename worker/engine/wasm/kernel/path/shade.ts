/**
 * What happens to a path where it hits a surface: its emission, next-event estimation, and the
 * direction in which the path continues. Both estimates are combined by multiple importance sampling (Veach, "Robust Monte Carlo
 * Methods for Light Transport Simulation", 1997, ch. 9).
 */
import { hasInstances } from '../placed-triangle'
import { Aim, Choosing, Drawn, Hit, Id, LightSample, Material, Model, Passing, Path, Ray, Scene, Sum, Surface, Triangle4, View } from '../records'
import { accumulate } from '../surface/accumulate'
import { packedCone, spreadOf, widthOf } from '../surface/cone'
import { countCoverage } from '../surface/coverage'
import { countFirstHit } from '../surface/first-hits'
import { splat } from '../surface/math/floats'
import { sendBehind } from '../surface/pass'
import { hasFeatures, share, sums, textured, view } from '../surface/workspace'
import { endBehind } from './coincident'
import { densityOf, dropsLights, isDropped, isWideAt, limitOf } from './fireflies'
import { localX, localY, localZ, setFrame, worldX, worldY, worldZ } from './frame'
import { gazeOf, isGazing, passesGaze, passGaze, seeSurface, unscaled } from './gaze'
import { choicesIn } from './lights/choose'
import { weightOf } from './lights/lights'
import { triangleDensity } from './lights/triangle'
import { emissionTexel } from './lights/triangle'
import { beginHit, choose, evaluate, sample } from './lobes/lobes'
import { indexOf, innermost, leftBlue, leftGreen, leftRed, pass } from './media'
import { answer, blue, density, green, red, x, y, z } from './result'
import { appendShadow } from './shadows'
import { behind, isDouble, known, meetSolid, scatters } from './solids'
import { appendRay, setState, stateOf } from './state'
import { bounces } from './workspace'

/** Paths are ended at random from here on; earlier they still matter to a pixel. */
const CERTAIN: u32 = 2
/** The most probable survival: even a path in a white world ends. */
const MOST: f64 = 0.95

/**
 * Shades a hit: `surface` is one of four (records.ts), `drawn` are its numbers (`drawn.ts`), `aim` is where it looks for light (`aim.ts`), `next` the queue for
 * scattered rays.
 */
export function shadeHit(surface: u32, hit: u32, drawn: u32, aim: u32, next: u32): void {
  const ray = Hit.ray(hit)
  const state = Hit.weight(hit)
  const pixel = Ray.pixel(ray)
  const material = Surface.material(surface)
  const scattered: u32 = Path.scattered(state)
  const side: f64 = Surface.side(surface)
  const media = Path.media(state)
  let beyond = media
  let isThere = true
  const isSolid = Material.medium(material) != 0
  if (isSolid) {
    meetSolid(material, ray, media, side, next)
    beyond = behind
    isThere = scatters
  }
  if (scattered == 0 && isThere) {
    countFirstHit(pixel, material)
    countCoverage(pixel, ray, material)
  }
  let weightRed: f64 = Path.weightRed(state)
  let weightGreen: f64 = Path.weightGreen(state)
  let weightBlue: f64 = Path.weightBlue(state)
  const distance = travelled(ray)
  if (media != 0) {
    pass(media, distance)
    weightRed *= leftRed
    weightGreen *= leftGreen
    weightBlue *= leftBlue
  }
  const gaze = hasFeatures ? gazeOf(1 - next, ray) : 0
  let gazing = hasFeatures && isGazing(gaze)
  // Radiance is scaled inside glass; what is seen there is not.
  const inner = gazing ? unscaled(media) : 1
  const seenRed = weightRed * inner
  const seenGreen = weightGreen * inner
  const seenBlue = weightBlue * inner
  const dx: f64 = Surface.dx(surface)
  const dy: f64 = Surface.dy(surface)
  const dz: f64 = Surface.dz(surface)
  const gx: f64 = Surface.gx(surface)
  const gy: f64 = Surface.gy(surface)
  const gz: f64 = Surface.gz(surface)

  if (Material.model(material) == Model.UNLIT) {
    accumulate(
      sums + pixel * Sum.BYTES,
      weightRed * <f64>Material.colorRed(material) * share,
      weightGreen * <f64>Material.colorGreen(material) * share,
      weightBlue * <f64>Material.colorBlue(material) * share,
    )
    if (gazing) seeSurface(gaze, pixel, surface, distance, seenRed, seenGreen, seenBlue)
    return
  }
  if (Material.emits(material) != 0)
    addEmission(surface, hit, distance, dx * gx + dy * gy + dz * gz, weightRed, weightGreen, weightBlue)
  if (!isThere) {
    const child = goStraightOn(ray, state, beyond, next)
    if (hasFeatures) passGaze(gaze, gazeOf(next, child), gazing, 0)
    if (isDouble) Ray.setTMin(child, endBehind(ray, surface))
    return
  }
  if (scattered > bounces) {
    if (gazing) seeSurface(gaze, pixel, surface, distance, seenRed, seenGreen, seenBlue)
    return
  }

  const nx: f64 = Surface.nx(surface)
  const ny: f64 = Surface.ny(surface)
  const nz: f64 = Surface.nz(surface)
  const number = Ray.number(ray)
  const seed = Path.seed(state)
  // Shadow rays towards the outside start from where the surface is lit. Others start just above or below it: lifted ones could pass
  // what is close to it, as a lid on a jar. But what leaves a smooth surface upwards and its triangle downwards has nowhere else to
  // start: there the triangle is only in the way because it is flat (`surface/lift.ts`).
  const upX: f64 = Surface.litX(surface)
  const upY: f64 = Surface.litY(surface)
  const upZ: f64 = Surface.litZ(surface)
  const offset: f64 = Surface.offset(surface)
  const downX: f64 = Surface.x(surface) - gx * offset
  const downY: f64 = Surface.y(surface) - gy * offset
  const downZ: f64 = Surface.z(surface) - gz * offset

  const wide = isWideAt(state)
  beginHit(weightRed, weightGreen, weightBlue)
  setFrame(nx, ny, nz)
  const ox = -localX(dx, dy, dz)
  const oy = -localY(dx, dy, dz)
  const oz = -localZ(dx, dy, dz)
  // What passes a sheet has passed it (`pass.ts`): the rest is mirrored.
  const lobe = scattered > 0 && (Material.passing(material) & Passing.SHEET) != 0 ? 0 : Drawn.lobe(drawn)
  const cos = Drawn.lobeCosine(drawn)
  const sin = Drawn.lobeSine(drawn)
  choose(material, ox, oy, oz, lobe, cos, sin, Drawn.lobeV(drawn))
  // Both groups with the same random numbers: their estimates are independent of each other.
  for (let group: u32 = Aim.asks(aim) != 0 ? 0 : Choosing.GROUPS; group < Choosing.GROUPS; group++) {
    if (choicesIn(group) == 0) continue
    const light = Aim.samples(aim, group)
    const lightRed = LightSample.lightRed(light)
    const lightGreen = LightSample.lightGreen(light)
    const lightBlue = LightSample.lightBlue(light)
    const lightDensity = LightSample.density(light)
    if (lightRed + lightGreen + lightBlue > 0) {
      const lx = LightSample.directionX(light)
      const ly = LightSample.directionY(light)
      const lz = LightSample.directionZ(light)
      const reach = LightSample.reach(light)
      const ix = localX(lx, ly, lz)
      const iy = localY(lx, ly, lz)
      const iz = localZ(lx, ly, lz)
      const above = lx * gx + ly * gy + lz * gz > 0
      const over = iz > 0
      if (over ? above || isLifted(surface) : !above) {
        evaluate(material, side, ox, oy, oz, ix, iy, iz)
        const weight =
          lightDensity > 0 ? (share * weightOf(lightDensity, density)) / lightDensity : share / LightSample.probability(light)
        const around = over ? media : beyond
        if (around != 0) dimAnswer(around, reach)
        if (isSolid && !over) answer(red * known, green * known, blue * known, density)
        if (red + green + blue > 0 && !isDropped(wide, density)) {
          const r = weightRed * lightRed * red * weight
          const g = weightGreen * lightGreen * green * weight
          const b = weightBlue * lightBlue * blue * weight
          const limit = limitOf(scattered + 1, r, g, b)
          appendShadow(
            over ? upX : downX,
            over ? upY : downY,
            over ? upZ : downZ,
            lx,
            ly,
            lz,
            reach,
            pixel,
            r * limit,
            g * limit,
            b * limit,
          )
        }
      }
    }
  }

  sample(material, side, ox, oy, oz, lobe, cos, sin, Drawn.lobeV(drawn))
  const inverse = density > 0 ? 1 / density : 1.0
  weightRed *= red * inverse
  weightGreen *= green * inverse
  weightBlue *= blue * inverse
  const ix = worldX(x, y, z)
  const iy = worldY(x, y, z)
  const iz = worldZ(x, y, z)
  const above = ix * gx + iy * gy + iz * gz > 0
  const over = z > 0
  const inside = over ? media : beyond
  if (isSolid && !over) {
    weightRed *= known
    weightGreen *= known
    weightBlue *= known
  }
  let largest = max(max(weightRed, weightGreen), weightBlue)
  // A shading normal can send light to where the triangle is in the way. What is refracted so meets it from inside, and may leave.
  let goesOn = (!over || above || isLifted(surface)) && largest > 0
  if (goesOn && scattered >= CERTAIN) {
    // Radiance is scaled inside glass, and will be scaled back.
    if (inside != 0) largest *= square(indexOf(innermost(inside)))
    // Of the root, so that paths end later: what a rare bright light adds late costs more in noise than the ended paths cost in time.
    const survival = min<f64>(MOST, sqrt<f64>(largest))
    goesOn = Drawn.survival(drawn) < survival
    weightRed /= survival
    weightGreen /= survival
    weightBlue /= survival
  }
  if (gazing && !(goesOn && passesGaze(density))) {
    seeSurface(gaze, pixel, surface, distance, seenRed, seenGreen, seenBlue)
    gazing = false
  }
  if (!goesOn) return
  const child = appendRay(
    next,
    over ? (above ? Surface.x(surface) + gx * offset : upX) : downX,
    over ? (above ? Surface.y(surface) + gy * offset : upY) : downY,
    over ? (above ? Surface.z(surface) + gz * offset : upZ) : downZ,
    0,
    ix,
    iy,
    iz,
    Infinity,
    pixel,
    number,
  )
  if (hasFeatures) passGaze(gaze, gazeOf(next, child), gazing, distance)
  const cone = textured ? coneBeyond(Path.cone(state), distance, density) : 0
  setState(stateOf(next, child), weightRed, weightGreen, weightBlue, wide ? -density : density, scattered + 1, Aim.facing(aim), inside, seed, cone)
}

/** Whether the point from which a surface is lit is above its triangle. */
function isLifted(surface: u32): bool {
  const x = Surface.litX(surface) - Surface.x(surface)
  const y = Surface.litY(surface) - Surface.y(surface)
  const z = Surface.litZ(surface) - Surface.z(surface)
  return x * Surface.gx(surface) + y * Surface.gy(surface) + z * Surface.gz(surface) > 2 * Surface.offset(surface)
}

/** What is left of an answer's light on its way from a light through a medium. */
function dimAnswer(media: u32, reach: f64): void {
  pass(media, reach)
  answer(red * leftRed, green * leftGreen, blue * leftBlue, density)
}

@inline
function square(x: f64): f64 {
  return x * x
}

/**
 * Sends a path on through a surface at which nothing changes but the media it is in; the one that counts is the same behind it. Next-event estimation
 * found nothing behind it, since shadow rays end at glass.
 */
function goStraightOn(ray: u32, state: u32, media: u32, next: u32): u32 {
  const child = appendRay(next, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  sendBehind(ray, child, Path.scattered(state) == 0 ? <f32>View.far(view) : Infinity)
  setState(
    stateOf(next, child),
    Path.weightRed(state),
    Path.weightGreen(state),
    Path.weightBlue(state),
    isWideAt(state) ? -0.0 : 0,
    Path.scattered(state),
    Path.facing(state),
    media,
    Path.seed(state),
    Path.cone(state),
  )
  return child
}

/** Share of the solid angle for which a scattered ray stands that its cone has: all of it would blur what several rays see together. */
const CONE_SHARE: f64 = 0.25

/** The cone of a scattered ray: what directions of such a density are apart is added to its spread. */
@inline
function coneBeyond(cone: u32, distance: f64, density: f64): u32 {
  const spread: f64 = spreadOf(cone)
  const wider = density > 0 ? CONE_SHARE / sqrt<f64>(density) : 0
  return packedCone(<f32>(widthOf(cone) + spread * distance), <f32>(spread + wider))
}

/** Adds what a surface emits towards a ray that has come so far, at a cosine to its normal. */
function addEmission(
  surface: u32,
  hit: u32,
  distance: f64,
  cosine: f64,
  weightRed: f64,
  weightGreen: f64,
  weightBlue: f64,
): void {
  const ray = Hit.ray(hit)
  let material = Surface.material(surface)
  const state = Hit.weight(hit)
  if (dropsLights(state)) return
  const chosen = densityOf(state)
  let weight = share
  let texel = splat(1)
  // Of meshes that are in memory once no triangle is asked.
  if (chosen > 0 && !(hasInstances() && Ray.instance(ray) != 0)) {
    weight *= weightOf(chosen, emissionDensity(surface, ray, distance, cosine))
    material = Hit.material(hit)
    texel = emissionTexel(surface, hit, material)
  }
  const r = weightRed * Material.emissionRed(material) * <f64>f32x4.extract_lane(texel, 0) * weight
  const g = weightGreen * Material.emissionGreen(material) * <f64>f32x4.extract_lane(texel, 1) * weight
  const b = weightBlue * Material.emissionBlue(material) * <f64>f32x4.extract_lane(texel, 2) * weight
  const limit = limitOf(Path.scattered(state), r, g, b)
  accumulate(sums + Ray.pixel(ray) * Sum.BYTES, r * limit, g * limit, b * limit)
}

/** The density with which next-event estimation would have chosen the direction of a ray that hit something that shines. */
function emissionDensity(surface: u32, ray: u32, distance: f64, cosine: f64): f64 {
  const id = Triangle4.id(Ray.hit(ray)) & Id.MASK
  const b: f64 = Surface.onB(surface)
  const c: f64 = Surface.onC(surface)
  return triangleDensity(id, b, c, Ray.originX(ray), Ray.originY(ray), Ray.originZ(ray), distance, cosine)
}

/** How far a ray has gone to its hit. */
@inline
function travelled(ray: u32): f64 {
  const dx: f64 = Ray.directionX(ray)
  const dy: f64 = Ray.directionY(ray)
  const dz: f64 = Ray.directionZ(ray)
  return <f64>Ray.tMax(ray) * sqrt<f64>(dx * dx + dy * dy + dz * dz)
}
