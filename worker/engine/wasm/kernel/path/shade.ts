/**
 * What happens to a path where it hits a surface: its emission, next-event estimation, and the
 * direction in which the path continues. Both estimates are combined by multiple importance sampling (Veach, "Robust Monte Carlo
 * Methods for Light Transport Simulation", 1997, ch. 9).
 */
import {
  GROUPS,
  MATERIAL_ABSORPTION,
  MATERIAL_COLOR,
  MATERIAL_EMISSION,
  MATERIAL_EMISSION_DENSITY,
  MATERIAL_EMITS,
  MATERIAL_IOR,
  MATERIAL_MODEL,
  MATERIAL_PASSING,
  MODEL_UNLIT,
  PASSING_SHEET,
  RAY_DIRECTION,
  RAY_T_MAX,
  SUM_BYTES,
} from '../layout'
import { accumulate } from '../surface/accumulate'
import { packedCone, spreadOf, widthOf } from '../surface/cone'
import { countFirstHit } from '../surface/first-hits'
import { exponential } from '../surface/math/exponential'
import {
  HIT_MATERIAL,
  HIT_RAY,
  HIT_WEIGHT,
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_GX,
  SURFACE_GY,
  SURFACE_GZ,
  SURFACE_LIT_X,
  SURFACE_LIT_Y,
  SURFACE_LIT_Z,
  SURFACE_MATERIAL,
  SURFACE_NX,
  SURFACE_NY,
  SURFACE_NZ,
  SURFACE_OFFSET,
  SURFACE_SIDE,
  SURFACE_X,
  SURFACE_Y,
  SURFACE_Z,
} from '../surface/records'
import { share, sums, textured } from '../surface/workspace'
import { localX, localY, localZ, setFrame, worldX, worldY, worldZ } from './frame'
import { choicesIn } from './lights/choose'
import { sampleLight, weightOf } from './lights/lights'
import { beginHit, entersMedium, evaluate, sample, scattersWidely } from './lobes/lobes'
import { blue, density, green, reach, red, x, y, z } from './result'
import { draw } from './sampler'
import { appendShadow } from './shadows'
import {
  appendRay,
  RAY_NUMBER,
  RAY_PIXEL,
  setState,
  STATE_CONE,
  STATE_DENSITY,
  STATE_MEDIUM,
  STATE_SCATTERED,
  STATE_SEED,
  STATE_WEIGHT,
  stateOf,
} from './state'
import { bounces, drawn } from './workspace'

/** Shadow rays end so much before their light: it must not be in its own way. */
const SHORT: f64 = 1 - 1.0 / 4096
/** Paths are ended at random from here on; earlier they still matter to a pixel. */
const CERTAIN: u32 = 2
/** The most probable survival: even a path in a white world ends. */
const MOST: f64 = 0.95

/** Shades a hit: `surface` is one of four (records.ts), `next` the queue for scattered rays. */
export function shadeHit(surface: u32, hit: u32, next: u32): void {
  const ray = load<u32>(hit, HIT_RAY)
  const state = load<u32>(hit, HIT_WEIGHT)
  const pixel = load<u32>(ray, RAY_PIXEL)
  const material = load<u32>(surface, SURFACE_MATERIAL)
  const scattered = load<u32>(state, STATE_SCATTERED)
  if (scattered == 0) countFirstHit(pixel, material)
  const medium = load<u32>(state, STATE_MEDIUM)
  let weightRed: f64 = load<f32>(state, STATE_WEIGHT)
  let weightGreen: f64 = load<f32>(state, STATE_WEIGHT + 4)
  let weightBlue: f64 = load<f32>(state, STATE_WEIGHT + 8)
  const distance = travelled(ray)
  if (medium != 0) {
    weightRed *= exponential(-load<f64>(medium, MATERIAL_ABSORPTION) * distance)
    weightGreen *= exponential(-load<f64>(medium, MATERIAL_ABSORPTION + 8) * distance)
    weightBlue *= exponential(-load<f64>(medium, MATERIAL_ABSORPTION + 16) * distance)
  }
  const dx: f64 = load<f32>(surface, SURFACE_DX)
  const dy: f64 = load<f32>(surface, SURFACE_DY)
  const dz: f64 = load<f32>(surface, SURFACE_DZ)
  const gx: f64 = load<f32>(surface, SURFACE_GX)
  const gy: f64 = load<f32>(surface, SURFACE_GY)
  const gz: f64 = load<f32>(surface, SURFACE_GZ)

  if (load<u32>(material, MATERIAL_MODEL) == MODEL_UNLIT) {
    accumulate(
      sums + pixel * SUM_BYTES,
      weightRed * <f64>load<f32>(material, MATERIAL_COLOR) * share,
      weightGreen * <f64>load<f32>(material, MATERIAL_COLOR + 4) * share,
      weightBlue * <f64>load<f32>(material, MATERIAL_COLOR + 8) * share,
    )
    return
  }
  if (load<u32>(material, MATERIAL_EMITS) != 0) {
    const chosen: f64 = load<f32>(state, STATE_DENSITY)
    const found = load<f64>(material, MATERIAL_EMISSION_DENSITY)
    const cosine = -(dx * gx + dy * gy + dz * gz)
    const weight = chosen > 0 ? share * weightOf(chosen, (found * distance * distance) / cosine) : share
    accumulate(
      sums + pixel * SUM_BYTES,
      weightRed * load<f64>(material, MATERIAL_EMISSION) * weight,
      weightGreen * load<f64>(material, MATERIAL_EMISSION + 8) * weight,
      weightBlue * load<f64>(material, MATERIAL_EMISSION + 16) * weight,
    )
  }
  if (scattered > bounces) return

  const side: f64 = load<f32>(surface, SURFACE_SIDE)
  const nx: f64 = load<f32>(surface, SURFACE_NX)
  const ny: f64 = load<f32>(surface, SURFACE_NY)
  const nz: f64 = load<f32>(surface, SURFACE_NZ)
  const number = load<u32>(ray, RAY_NUMBER)
  const seed = load<u32>(state, STATE_SEED)
  draw(drawn, seed, scattered + 1, number)
  // Shadow rays towards the outside start from where the surface is lit. Others start just above or below it: lifted ones could pass
  // what is close to it, as a lid on a jar.
  const upX: f64 = load<f32>(surface, SURFACE_LIT_X)
  const upY: f64 = load<f32>(surface, SURFACE_LIT_Y)
  const upZ: f64 = load<f32>(surface, SURFACE_LIT_Z)
  const offset: f64 = load<f32>(surface, SURFACE_OFFSET)
  const downX: f64 = load<f32>(surface, SURFACE_X) - gx * offset
  const downY: f64 = load<f32>(surface, SURFACE_Y) - gy * offset
  const downZ: f64 = load<f32>(surface, SURFACE_Z) - gz * offset

  beginHit()
  // Both groups with the same random numbers: their estimates are independent of each other.
  for (let group: u32 = scattersWidely(material) ? 0 : GROUPS; group < GROUPS; group++) {
    if (choicesIn(group) == 0) continue
    const probability = sampleLight(group, upX, upY, upZ, load<f64>(drawn), load<f64>(drawn, 16), load<f64>(drawn, 24))
    const lightRed = red
    const lightGreen = green
    const lightBlue = blue
    const lightDensity = density
    if (lightRed + lightGreen + lightBlue > 0) {
      const lx = x
      const ly = y
      const lz = z
      setFrame(nx, ny, nz)
      const ix = localX(lx, ly, lz)
      const iy = localY(lx, ly, lz)
      const iz = localZ(lx, ly, lz)
      const above = lx * gx + ly * gy + lz * gz > 0
      if (above == iz > 0) {
        evaluate(material, side, -localX(dx, dy, dz), -localY(dx, dy, dz), -localZ(dx, dy, dz), ix, iy, iz)
        const weight =
          lightDensity > 0 ? (share * weightOf(lightDensity, density)) / lightDensity : share / probability
        if (red + green + blue > 0)
          appendShadow(
            above ? upX : downX,
            above ? upY : downY,
            above ? upZ : downZ,
            lx,
            ly,
            lz,
            reach * SHORT,
            pixel,
            weightRed * lightRed * red * weight,
            weightGreen * lightGreen * green * weight,
            weightBlue * lightBlue * blue * weight,
          )
      }
    }
  }

  setFrame(nx, ny, nz)
  sample(
    material,
    side,
    -localX(dx, dy, dz),
    -localY(dx, dy, dz),
    -localZ(dx, dy, dz),
    // What passes a sheet has passed it (`pass.ts`): the rest is mirrored.
    scattered > 0 && (load<u32>(material, MATERIAL_PASSING) & PASSING_SHEET) != 0 ? 0 : load<f64>(drawn, 8),
    load<f64>(drawn, 32),
    load<f64>(drawn, 40),
  )
  const inverse = density > 0 ? 1 / density : 1.0
  weightRed *= red * inverse
  weightGreen *= green * inverse
  weightBlue *= blue * inverse
  const ix = worldX(x, y, z)
  const iy = worldY(x, y, z)
  const iz = worldZ(x, y, z)
  const above = ix * gx + iy * gy + iz * gz > 0
  // A shading normal can send light to where the triangle is in the way.
  if (above != z > 0) return
  let inside = medium
  if (!above && entersMedium(material)) inside = side > 0 ? load<u32>(hit, HIT_MATERIAL) : 0
  let largest = max(max(weightRed, weightGreen), weightBlue)
  if (!(largest > 0)) return
  if (scattered >= CERTAIN) {
    // Radiance is scaled inside glass, and will be scaled back.
    if (inside != 0) largest *= load<f64>(inside, MATERIAL_IOR) * load<f64>(inside, MATERIAL_IOR)
    const survival = min<f64>(MOST, largest)
    if (load<f64>(drawn, 48) >= survival) return
    weightRed /= survival
    weightGreen /= survival
    weightBlue /= survival
  }
  const lift = above ? offset : -offset
  const child = appendRay(
    next,
    load<f32>(surface, SURFACE_X) + gx * lift,
    load<f32>(surface, SURFACE_Y) + gy * lift,
    load<f32>(surface, SURFACE_Z) + gz * lift,
    0,
    ix,
    iy,
    iz,
    Infinity,
    pixel,
    number,
  )
  const cone = textured ? coneBeyond(load<u32>(state, STATE_CONE), distance, density) : 0
  setState(stateOf(next, child), weightRed, weightGreen, weightBlue, density, scattered + 1, inside, seed, cone)
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

/** How far a ray has gone to its hit. */
@inline
function travelled(ray: u32): f64 {
  const dx: f64 = load<f32>(ray, RAY_DIRECTION)
  const dy: f64 = load<f32>(ray, RAY_DIRECTION + 4)
  const dz: f64 = load<f32>(ray, RAY_DIRECTION + 8)
  return <f64>load<f32>(ray, RAY_T_MAX) * sqrt<f64>(dx * dx + dy * dy + dz * dz)
}
