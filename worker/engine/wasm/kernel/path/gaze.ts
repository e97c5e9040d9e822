/**
 * What a sample sees, for a denoiser (`surface/features.ts`): its first hit that is not smooth. Mirrors and clear glass only pass the
 * gaze on, and tint what is behind them: features of their own would say nothing about the picture in them (Bitterli et al., "Nonlinearly
 * Weighted First-Order Regression for Denoising Monte Carlo Renderings", EGSR 2016, §5.1). A path that ends before has seen what it met last.
 *
 * Beside each ray of a queue is how far its sample has looked, or GONE once it has seen something. A surface counts as smooth for a
 * direction that was chosen with a high density: so a smooth coat passes on as many gazes as it reflects paths, and its body ends the others.
 */
import { Material, Path, Ray, Scene, Surface, View } from '../records'
import { addFeatures } from '../surface/features'
import { skyAt } from '../surface/sky'
import { QUEUE_RAYS, transparent, view } from '../surface/workspace'
import { ANY_FACING } from './lights/facing'
import { meetMap } from './lights/map'
import { indexOf, innermost } from './media'
import { blue, green, red } from './result'
import { raysOf } from './state'
import { gazes } from './workspace'

const GONE: f32 = -1
/** Density per solid angle from which on a direction is as good as mirrored: that of GGX with a roughness of 0.2 has its peak at 50. */
const SMOOTH: f64 = 32

/** Of a queue's ray. */
@inline
export function gazeOf(queue: u32, ray: u32): u32 {
  return gazes + (queue * QUEUE_RAYS + (ray - raysOf(queue)) / Ray.BYTES) * 4
}

/** A camera ray has not seen anything yet. */
@inline
export function beginGaze(gaze: u32): void {
  store<f32>(gaze, 0)
}

/** Whether a sample is still to see something. */
@inline
export function isGazing(gaze: u32): bool {
  return load<f32>(gaze) >= 0
}

/** Whether a direction that was chosen with such a density, 0 for the only one, passes a gaze on. */
@inline
export function passesGaze(density: f64): bool {
  return density == 0 || density > SMOOTH
}

/** The ray that a path goes on with. @param gazing whether it has still seen nothing, after so far a way */
@inline
export function passGaze(from: u32, to: u32, gazing: bool, distance: f64): void {
  store<f32>(to, gazing ? load<f32>(from) + <f32>distance : GONE)
}

/** By what a path's weight in media is multiplied for what it sees: radiance is scaled there, and will be scaled back. */
export function unscaled(media: u32): f64 {
  const index = media == 0 ? 1.0 : indexOf(innermost(media))
  return index * index
}

/** Sees a surface, through what has tinted the path's weight. */
export function seeSurface(gaze: u32, pixel: u32, surface: u32, distance: f64, weightRed: f64, weightGreen: f64, weightBlue: f64): void {
  const material = Surface.material(surface)
  let inRed: f64 = Material.colorRed(material) + Material.sheenColorRed(material)
  let inGreen: f64 = Material.colorGreen(material) + Material.sheenColorGreen(material)
  let inBlue: f64 = Material.colorBlue(material) + Material.sheenColorBlue(material)
  if (Material.emits(material) != 0) {
    inRed += shine(Material.emissionRed(material))
    inGreen += shine(Material.emissionGreen(material))
    inBlue += shine(Material.emissionBlue(material))
  }
  const far = <f64>load<f32>(gaze) + distance
  addFeatures(
    pixel,
    four(
      weightRed * min<f64>(1, inRed),
      weightGreen * min<f64>(1, inGreen),
      weightBlue * min<f64>(1, inBlue),
      toUnit(Surface.nx(surface)),
    ),
    four(toUnit(Surface.ny(surface)), toUnit(Surface.nz(surface)), far / (far + View.reach(view)), 0),
  )
}

/** Sees the surroundings along a ray that has hit nothing. */
export function seeSurroundings(ray: u32, state: u32, pixel: u32): void {
  let inRed: f64 = 0
  let inGreen: f64 = 0
  let inBlue: f64 = 0
  if (!transparent || Path.scattered(state) > 0) {
    let dx: f64 = Ray.directionX(ray)
    let dy: f64 = Ray.directionY(ray)
    let dz: f64 = Ray.directionZ(ray)
    const inverse = 1 / sqrt<f64>(dx * dx + dy * dy + dz * dz)
    dx *= inverse
    dy *= inverse
    dz *= inverse
    if (Scene.map() == 0) {
      const sky = skyAt(<f32>dy)
      inRed = f32x4.extract_lane(sky, 0)
      inGreen = f32x4.extract_lane(sky, 1)
      inBlue = f32x4.extract_lane(sky, 2)
    } else {
      meetMap(ANY_FACING, dx, dy, dz)
      inRed = red
      inGreen = green
      inBlue = blue
    }
  }
  const scale = unscaled(Path.media(state))
  addFeatures(
    pixel,
    four(
      scale * <f64>Path.weightRed(state) * shine(inRed),
      scale * <f64>Path.weightGreen(state) * shine(inGreen),
      scale * <f64>Path.weightBlue(state) * shine(inBlue),
      0.5,
    ),
    four(0.5, 0.5, 1, 0),
  )
}

/** Light as a colour: as bright as the picture will show it. */
@inline
function shine(radiance: f64): f64 {
  const shown = radiance * View.exposure(view)
  return shown < Infinity ? shown / (1 + shown) : 1
}

@inline
function toUnit(coordinate: f32): f64 {
  return 0.5 * <f64>coordinate + 0.5
}

@inline
function four(a: f64, b: f64, c: f64, d: f64): v128 {
  return f32x4(<f32>a, <f32>b, <f32>c, <f32>d)
}
