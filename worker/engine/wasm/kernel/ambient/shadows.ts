/**
 * Shadow rays, queued to be traced together: one queue of rays to the sun, which go in one direction, and one of ambient
 * rays, which go in all directions. Beside each ray is the light that it contributes if unoccluded, f32[4]; of ambient rays it is still
 * to be multiplied by the sky's radiance, and is followed by the surface's colour. A ray's free word is its pixel in the block.
 */
import { AmbientLight, Material, Passing, Ray, Shadow, Sum, Surface } from '../records'
import { accumulateFloats } from '../surface/accumulate'
import { add, mul, splat } from '../surface/math/floats'
import { passShadows } from '../surface/pass'
import { addSky } from '../surface/sky'
import { countSteps } from '../surface/steps'
import { QUEUE_RAYS, sums } from '../surface/workspace'
import { traceShadow } from '../trace/trace'
import { QUEUE_BYTES, shadows } from './workspace'

/** Share of light that passes through glass alone, however much of it. */
const GLASS_SHADOW: f32 = 0.6
/**
 * Share of the sky's light that a blocked ambient ray contributes, tinted by the surface: the light that arrives via other surfaces. A
 * path tracer's image of a scan with albedo 0.8 under a white sky suggests 0.8 on average; half of that keeps creases and contacts
 * readable.
 */
const BLOCKED_SHARE: f32 = 0.4

let sunRays: u32 = 0
let ambientRays: u32 = 0

/** Whether consecutive rays to the sun have nearby origins. */
let coherent: bool = false

/** Empties both queues. */
export function clearShadows(coherentSun: bool): void {
  coherent = coherentSun
  sunRays = 0
  ambientRays = 0
}

/** Traces the sun rays if there is no room for one more. */
@inline
export function makeRoomForSun(): void {
  if (sunRays == QUEUE_RAYS) flushSun()
}

/** Traces the ambient rays if there is no room for `rays` more, which must fit one queue. */
@inline
export function makeRoomForAmbient(rays: u32): void {
  if (ambientRays + rays > QUEUE_RAYS) flushAmbient()
}

/** Appends a ray to the sun from a surface, which contributes light to a pixel; the queue must have room. */
@inline
export function appendSun(surface: u32, direction: v128, light: v128, pixel: u32): void {
  append(shadows, sunRays++, surface, direction, light, pixel)
}

/** Appends an ambient ray from a surface, which contributes light to a pixel; the queue must have room. */
@inline
export function appendAmbient(surface: u32, direction: v128, light: v128, pixel: u32): void {
  const queue = shadows + QUEUE_BYTES
  const tint = Material.color(Surface.material(surface))
  AmbientLight.setTint(queue + QUEUE_RAYS * Ray.BYTES + ambientRays * AmbientLight.BYTES, tint)
  append(queue, ambientRays++, surface, direction, light, pixel)
}

@inline
function append(queue: u32, index: u32, surface: u32, direction: v128, light: v128, pixel: u32): void {
  const ray = queue + index * Ray.BYTES
  Ray.setOriginX(ray, Surface.litX(surface))
  Ray.setOriginY(ray, Surface.litY(surface))
  Ray.setOriginZ(ray, Surface.litZ(surface))
  Ray.setTMin(ray, 0)
  Ray.setDirection(ray, f32x4.replace_lane(direction, 3, Infinity))
  Ray.setPixel(ray, pixel)
  AmbientLight.setLight(queue + QUEUE_RAYS * Ray.BYTES + index * AmbientLight.BYTES, light)
}

/** Traces the sun rays and adds their light. */
export function flushSun(): void {
  const rays = shadows
  traceShadow(rays, sunRays, coherent)
  passShadows(rays, sunRays, rays + QUEUE_RAYS * Ray.BYTES, AmbientLight.BYTES, Passing.SOME, true)
  let light = rays + QUEUE_RAYS * Ray.BYTES
  const end = rays + sunRays * Ray.BYTES
  for (let ray = rays; ray < end; ray += Ray.BYTES, light += AmbientLight.BYTES) {
    const pixel = Ray.pixel(ray)
    countSteps(pixel, ray)
    accumulateFloats(sums + pixel * Sum.BYTES, mul(AmbientLight.light(light), splat(openness(ray))))
  }
  sunRays = 0
}

/** Traces the ambient rays and adds their light. */
export function flushAmbient(): void {
  const rays = shadows + QUEUE_BYTES
  traceShadow(rays, ambientRays, false)
  passShadows(rays, ambientRays, rays + QUEUE_RAYS * Ray.BYTES, AmbientLight.BYTES, Passing.SOME, true)
  let light = rays + QUEUE_RAYS * Ray.BYTES
  const end = rays + ambientRays * Ray.BYTES
  for (let ray = rays; ray < end; ray += Ray.BYTES, light += AmbientLight.BYTES) {
    const pixel = Ray.pixel(ray)
    countSteps(pixel, ray)
    const open = openness(ray)
    const tint = mul(splat((<f32>1 - open) * BLOCKED_SHARE), AmbientLight.tint(light))
    const arriving = add(splat(open), tint)
    addSky(sums + pixel * Sum.BYTES, Ray.directionY(ray), mul(AmbientLight.light(light), arriving))
  }
  ambientRays = 0
}

/** Share of light that a traced ray lets through. */
@inline
function openness(ray: u32): f32 {
  const hit = Ray.hit(ray)
  return (hit & Shadow.BLOCKED) != 0 ? 0.0 : (hit & Shadow.DIMMED) != 0 ? GLASS_SHADOW : 1.0
}
