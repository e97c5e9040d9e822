/**
 * What a path travels in. Solids of glass may lie in each other, overlap, or touch: a path knows all that it is in, and light is bent and absorbed by
 * the one that it entered last. So a surface bends light only if that one changes there, by the ratio of both indices; otherwise it is as
 * if it were not there. Nested dielectrics with priorities (Schmidt and Budge, "Simple Nested Dielectrics in Ray Traced Images", JGT 7(2),
 * 2002) would need numbers that files do not have; entering last makes right what lies in something else, whatever the indices, and where two bodies
 * overlap the boundary is at one of their surfaces.
 *
 * Media are numbers of a byte, the last entered in the lowest; beyond four, the first are forgotten.
 */
import { Id, Material, Media, Medium, Model, Path, Ray, Scene, Surface, Triangle4, View } from '../records'
import { meetAlone } from '../surface/hit-normal'
import { exponential } from '../surface/math/exponential'
import { sendBehind } from '../surface/pass'
import { passing, passSurfaces, view } from '../surface/workspace'
import { traceClosest } from '../trace/trace'
import { writeRay } from '../trace/write-ray'

/** The one that counts; 0 is air. */
@inline
export function innermost(media: u32): u32 {
  return media & Media.LAST
}

@inline
export function indexOf(medium: u32): f64 {
  return Medium.ior(Scene.media() + medium * Medium.BYTES)
}

export function holds(media: u32, medium: u32): bool {
  for (; media != 0; media >>= Media.BITS) if ((media & Media.LAST) == medium) return true
  return false
}

@inline
function entered(media: u32, medium: u32): u32 {
  return (media << Media.BITS) | medium
}

/** Without the one that was entered last of equal ones. */
function left(media: u32, medium: u32): u32 {
  for (let at: u32 = 0; at < 32; at += Media.BITS)
    if (((media >> at) & Media.LAST) == medium) {
      const later: u32 = (1 << at) - 1
      return (media & later) | ((media >> Media.BITS) & ~later)
    }
  return media
}

/** A crossing of a surface: what it encloses, what is on its outer side if that is known, and whether inwards; never 0. */
@inline
export function crossingOf(material: u32, outer: u32, inwards: bool): u32 {
  return Material.medium(material) | (outer << Media.BITS) | (<u32>inwards << (2 * Media.BITS))
}

/** The media after a crossing. */
export function crossed(media: u32, crossing: u32): u32 {
  const inner = crossing & Media.LAST
  const outer = (crossing >> Media.BITS) & Media.LAST
  if (crossing >> (2 * Media.BITS) != 0) return entered(outer != 0 ? left(media, outer) : media, inner)
  const rest = left(media, inner)
  return outer != 0 ? entered(rest, outer) : rest
}

/** What is on the side of a crossing that it comes from, of a path that should know: it may have started there, or have missed a surface. */
export function before(media: u32, crossing: u32): u32 {
  const inner = crossing & Media.LAST
  const outer = (crossing >> Media.BITS) & Media.LAST
  const here = crossing >> (2 * Media.BITS) != 0 ? outer : inner
  return here == 0 || holds(media, here) ? innermost(media) : here
}

/** Of a hit: the medium on the outer side of its triangle, if that is known (`light/outer-media.ts`). */
@inline
export function outerOf(ray: u32): u32 {
  const outers = Scene.outers()
  if (outers == 0 || (Scene.instanceCount() > 0 && Ray.instance(ray) != 0)) return 0
  return load<u8>(outers + (Triangle4.id(Ray.hit(ray)) & Id.MASK))
}

/** Whether a surface is nothing but a boundary between media: without any, it is not there. */
@inline
export function isBoundary(material: u32): bool {
  const model = Material.model(material)
  if (model == Model.DIELECTRIC) return true
  return model == Model.PRINCIPLED && Material.transmission(material) == 1 && Material.metallic(material) == 0
}

/** Shares of light that are left after a distance, set by `pass`. */
export let leftRed: f64 = 1
export let leftGreen: f64 = 1
export let leftBlue: f64 = 1

/** @param distance may be infinite: through what absorbs, nothing comes from there */
export function pass(media: u32, distance: f64): void {
  const medium = Scene.media() + innermost(media) * Medium.BYTES
  leftRed = leftOf(Medium.absorptionRed(medium), distance)
  leftGreen = leftOf(Medium.absorptionGreen(medium), distance)
  leftBlue = leftOf(Medium.absorptionBlue(medium), distance)
}

@inline
function leftOf(absorption: f64, distance: f64): f64 {
  return absorption == 0 ? 1 : exponential(-absorption * distance)
}

/** Direction in which surfaces are counted around the camera: upwards, where water has a surface even if it has no bottom, and along no axis. */
const AWAY_X: f32 = 0.0712
const AWAY_Y: f32 = 0.9921
const AWAY_Z: f32 = 0.1033
/** The most of them: beyond there is air. */
const MOST: u32 = 64

/** The media around the camera: those that a ray leaves on its way out, in the order in which it would enter them on its way back. */
export function mediaOfCamera(): u32 {
  if (Scene.mediaCount() == 1) return 0
  const ray = passing
  const crossings = passing + Ray.BYTES
  writeRay(ray, <f32>View.originX(view), <f32>View.originY(view), <f32>View.originZ(view), 0, AWAY_X, AWAY_Y, AWAY_Z, Infinity)
  let count: u32 = 0
  for (let met: u32 = 0; met < MOST; met++) {
    traceClosest(ray, 1, false)
    if (Ray.hit(ray) == 0) break
    const material = meetAlone(ray)
    if (Material.medium(material) != 0)
      store<u32>(crossings + 4 * count++, crossingOf(material, outerOf(ray), Surface.side(passSurfaces) < 0))
    sendBehind(ray, ray, Infinity)
  }
  let media: u32 = 0
  while (count > 0) media = crossed(media, load<u32>(crossings + 4 * --count))
  return media
}
