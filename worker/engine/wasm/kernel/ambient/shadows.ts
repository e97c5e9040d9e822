/**
 * Shadow rays, queued to be traced together: one queue of rays to the sun, which go in one direction, and one of ambient
 * rays, which go in all directions. Beside each ray is the light that it contributes if unoccluded, f32[4]; of ambient rays it is still
 * to be multiplied by the sky's radiance, and is followed by the surface's colour. A ray's free word is its pixel in the block.
 */
import {
  BLOCKED,
  DIMMED,
  MATERIAL_COLOR,
  PASSING_SOME,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_FREE,
  RAY_HIT,
  RAY_ORIGIN,
  RAY_T_MIN,
  SUM_BYTES,
} from '../layout'
import { accumulateFloats } from '../surface/accumulate'
import { add, mul, splat } from '../surface/math/floats'
import { passShadows } from '../surface/pass'
import { SURFACE_LIT_X, SURFACE_LIT_Y, SURFACE_LIT_Z, SURFACE_MATERIAL } from '../surface/records'
import { addSky } from '../surface/sky'
import { countSteps } from '../surface/steps'
import { QUEUE_RAYS, sums } from '../surface/workspace'
import { traceShadow } from '../trace/trace'
import { QUEUE_BYTES, shadows } from './workspace'

const LIGHT_BYTES: u32 = 32
/** Of ambient rays: the colour of the surface. */
const LIGHT_TINT: u32 = 16
const RAY_PIXEL: u32 = RAY_FREE

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
  const tint = v128.load(load<u32>(surface, SURFACE_MATERIAL), MATERIAL_COLOR)
  v128.store(queue + QUEUE_RAYS * RAY_BYTES + ambientRays * LIGHT_BYTES, tint, LIGHT_TINT)
  append(queue, ambientRays++, surface, direction, light, pixel)
}

@inline
function append(queue: u32, index: u32, surface: u32, direction: v128, light: v128, pixel: u32): void {
  const ray = queue + index * RAY_BYTES
  store<f32>(ray, load<f32>(surface, SURFACE_LIT_X), RAY_ORIGIN)
  store<f32>(ray, load<f32>(surface, SURFACE_LIT_Y), RAY_ORIGIN + 4)
  store<f32>(ray, load<f32>(surface, SURFACE_LIT_Z), RAY_ORIGIN + 8)
  store<f32>(ray, 0, RAY_T_MIN)
  v128.store(ray, f32x4.replace_lane(direction, 3, Infinity), RAY_DIRECTION)
  store<u32>(ray, pixel, RAY_PIXEL)
  v128.store(queue + QUEUE_RAYS * RAY_BYTES + index * LIGHT_BYTES, light)
}

/** Traces the sun rays and adds their light. */
export function flushSun(): void {
  const rays = shadows
  traceShadow(rays, sunRays, coherent)
  passShadows(rays, sunRays, rays + QUEUE_RAYS * RAY_BYTES, LIGHT_BYTES, PASSING_SOME, true)
  let light = rays + QUEUE_RAYS * RAY_BYTES
  const end = rays + sunRays * RAY_BYTES
  for (let ray = rays; ray < end; ray += RAY_BYTES, light += LIGHT_BYTES) {
    const pixel = load<u32>(ray, RAY_PIXEL)
    countSteps(pixel, ray)
    accumulateFloats(sums + pixel * SUM_BYTES, mul(v128.load(light), splat(openness(ray))))
  }
  sunRays = 0
}

/** Traces the ambient rays and adds their light. */
export function flushAmbient(): void {
  const rays = shadows + QUEUE_BYTES
  traceShadow(rays, ambientRays, false)
  passShadows(rays, ambientRays, rays + QUEUE_RAYS * RAY_BYTES, LIGHT_BYTES, PASSING_SOME, true)
  let light = rays + QUEUE_RAYS * RAY_BYTES
  const end = rays + ambientRays * RAY_BYTES
  for (let ray = rays; ray < end; ray += RAY_BYTES, light += LIGHT_BYTES) {
    const pixel = load<u32>(ray, RAY_PIXEL)
    countSteps(pixel, ray)
    const open = openness(ray)
    const tint = mul(splat((<f32>1 - open) * BLOCKED_SHARE), v128.load(light, LIGHT_TINT))
    const arriving = add(splat(open), tint)
    addSky(sums + pixel * SUM_BYTES, load<f32>(ray, RAY_DIRECTION + 4), mul(v128.load(light), arriving))
  }
  ambientRays = 0
}

/** Share of light that a traced ray lets through. */
@inline
function openness(ray: u32): f32 {
  const hit = load<u32>(ray, RAY_HIT)
  return (hit & BLOCKED) != 0 ? 0.0 : (hit & DIMMED) != 0 ? GLASS_SHADOW : 1.0
}
