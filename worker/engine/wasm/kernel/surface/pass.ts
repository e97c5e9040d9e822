/**
 * Surfaces that let rays pass: masks, blends, sheets of glass, and back sides that cameras look through. A ray that passes is traced again from behind
 * its hit, with all others that do, until each has met something that stops it, or nothing. So no answer depends on the order of
 * intersections, nor on which rays are traced together.
 */
import {
  BLOCKED,
  DIMMED,
  GLASS,
  MAP_BYTES,
  MAP_COLOR,
  MAP_NAME,
  MAP_OPACITY,
  MATERIAL_COLOR,
  MATERIAL_CUTOFF,
  MATERIAL_IOR,
  MATERIAL_KIND,
  MATERIAL_MAP_COUNT,
  MATERIAL_MAPS,
  MATERIAL_OPACITY,
  MATERIAL_PASSING,
  MATERIAL_VARIES,
  PASSING_BACKS,
  PASSING_BLEND,
  PASSING_MASK,
  PASSING_SHEET,
  PASSING_SOME,
  RAY_BYTES,
  RAY_HIT,
  RAY_INSTANCE,
  RAY_STEPS,
  RAY_T_MAX,
  RAY_T_MIN,
  SCENE,
  SCENE_PASSING,
  SCENE_TRIANGLES_AT,
  VARIES_VERTEX_COLORS,
  VIEW_FAR,
} from '../layout'
import { hasInstances, hitParts } from '../placed-triangle'
import { traceClosest } from '../trace/trace'
import { firstParts } from '../triangle-parts'
import { sheetReflectance } from './fresnel'
import { meet } from './hit-point'
import { lookUp, vertexColor } from './lookup'
import { mul, splat } from './math/floats'
import { placeHits } from './placed-hits'
import {
  HIT_BYTES,
  HIT_INSTANCE,
  HIT_MATERIAL,
  HIT_PARTS,
  HIT_RAY,
  SURFACE_DX,
  SURFACE_DY,
  SURFACE_DZ,
  SURFACE_NX,
  SURFACE_NY,
  SURFACE_NZ,
  SURFACE_SIDE,
} from './records'
import { MAX_PASSING, passHits, passing, passPlaced, passSurfaces, view } from './workspace'

/** Rays that are traced again, and after them the address of each one's original. */
@inline
function originals(): u32 {
  return passing + MAX_PASSING * RAY_BYTES
}

/**
 * Sends traced closest-hit rays on through what lets them pass. What differs between integrators is a class without fields, whose
 * methods the compiler knows, so that calls of them are direct (`ambient/pass.ts`, `path/pass.ts`):
 *
 *     passages(camera): u32          flags of MATERIAL_PASSING that let rays pass, of the camera and others
 *     isCamera(ray): bool            whether a ray comes from the camera
 *     chance(ray): f32               a number in [0, 1) that decides about it at what it has hit; 0 where blends stop it
 *     pass(ray, hit, surface): void  before it goes on
 */
export function passOn<Rays>(rays: u32, count: u32): void {
  const rules = changetype<Rays>(0)
  if ((load<u32>(SCENE, SCENE_PASSING) & (rules.passages(true) | rules.passages(false))) == 0) return
  let waiting: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const ray = rays + i * RAY_BYTES
    if (mayPass(ray, rules.passages(rules.isCamera(ray)))) store<u32>(originals() + waiting++ * 4, ray)
  }
  while (waiting > 0) {
    let going: u32 = 0
    for (let first: u32 = 0; first < waiting; first += 4) {
      const next = min<u32>(first + 4, waiting)
      listMet(first, next, false)
      for (let i = first; i < next; i++) {
        const ray = load<u32>(originals() + i * 4)
        const hit = passHits + (i - first) * HIT_BYTES
        const surface = passSurfaces + (i - first) * 4
        const camera = rules.isCamera(ray)
        if (!passes<Rays>(ray, hit, surface, rules.passages(camera))) continue
        rules.pass(ray, hit, surface)
        sendBehind(ray, passing + going * RAY_BYTES, camera ? <f32>load<f64>(view, VIEW_FAR) : Infinity)
        store<u32>(originals() + going++ * 4, ray)
      }
    }
    traceClosest(passing, going, false)
    waiting = 0
    for (let i: u32 = 0; i < going; i++) {
      const ray = load<u32>(originals() + i * 4)
      takeOver(passing + i * RAY_BYTES, ray)
      if (mayPass(ray, rules.passages(rules.isCamera(ray)))) store<u32>(originals() + waiting++ * 4, ray)
    }
  }
}

/**
 * Sends traced shadow rays on that only met what lets some light through, and multiplies their light, f32[4] each at multiples of
 * `lightBytes`, by what passes. What is left of their hit: nothing, BLOCKED, or DIMMED by glass.
 * @param which flags of MATERIAL_PASSING that let them pass @param glassDims whether solid glass dims them; otherwise it blocks
 */
export function passShadows(rays: u32, count: u32, lights: u32, lightBytes: u32, which: u32, glassDims: bool): void {
  if ((load<u32>(SCENE, SCENE_PASSING) & which) == 0) return
  let waiting: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const ray = rays + i * RAY_BYTES
    if (load<u32>(ray, RAY_HIT) != DIMMED) continue
    store<u32>(ray, 0, RAY_HIT)
    store<u32>(originals() + waiting * 4, ray)
    copyRay(ray, passing + waiting++ * RAY_BYTES)
  }
  while (waiting > 0) {
    traceClosest(passing, waiting, false)
    let met: u32 = 0
    for (let i: u32 = 0; i < waiting; i++) {
      const traced = passing + i * RAY_BYTES
      const ray = load<u32>(originals() + i * 4)
      store<u32>(ray, load<u32>(ray, RAY_STEPS) + load<u32>(traced, RAY_STEPS), RAY_STEPS)
      if (load<u32>(traced, RAY_HIT) == 0) continue
      if (met != i) copyRay(traced, passing + met * RAY_BYTES)
      store<u32>(originals() + met++ * 4, ray)
    }
    waiting = 0
    for (let first: u32 = 0; first < met; first += 4) {
      const next = min<u32>(first + 4, met)
      listMet(first, next, true)
      for (let i = first; i < next; i++) {
        const ray = load<u32>(originals() + i * 4)
        const traced = passing + i * RAY_BYTES
        const light = lights + ((ray - rays) / RAY_BYTES) * lightBytes
        if (!lightPasses(i - first, ray, light, which, glassDims)) {
          store<u32>(ray, BLOCKED, RAY_HIT)
          continue
        }
        // The end of a shadow ray stays where it was.
        const end = load<f32>(ray, RAY_T_MAX)
        sendBehind(traced, passing + waiting * RAY_BYTES, end)
        store<u32>(originals() + waiting++ * 4, ray)
      }
    }
  }
}

/** Whether a ray has hit something that lets some such rays pass. */
@inline
function mayPass(ray: u32, which: u32): bool {
  const slot = load<u32>(ray, RAY_HIT)
  return slot != 0 && (load<u32>(materialAt(ray, slot), MATERIAL_PASSING) & which) != 0
}

@inline
function materialAt(ray: u32, slot: u32): u32 {
  return i32x4.extract_lane(hitParts(ray, slot, load<u32>(SCENE, SCENE_TRIANGLES_AT), firstParts(), hasInstances()), 3)
}

/** Computes the surfaces of up to four of the waiting rays' hits; `copies` says whether those are hits of the copies. */
function listMet(first: u32, next: u32, copies: bool): void {
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  const parts = firstParts()
  const instances = hasInstances()
  for (let i = first; i < next; i++) {
    const ray = copies ? passing + i * RAY_BYTES : load<u32>(originals() + i * 4)
    const hit = passHits + (i - first) * HIT_BYTES
    store<u32>(hit, ray, HIT_RAY)
    v128.store(hit, hitParts(ray, load<u32>(ray, RAY_HIT), triangles, parts, instances), HIT_PARTS)
    if (instances) store<u32>(hit, load<u32>(ray, RAY_INSTANCE), HIT_INSTANCE)
  }
  placeHits(passHits, passHits + (next - first - 1) * HIT_BYTES, passPlaced)
  meet(passSurfaces, passHits, passHits + (next - first - 1) * HIT_BYTES)
}

/** Whether a ray passes through its hit, which is one of four. @param which as in `mayPass` */
function passes<Rays>(ray: u32, hit: u32, surface: u32, which: u32): bool {
  const material = load<u32>(hit, HIT_MATERIAL)
  const passing = load<u32>(material, MATERIAL_PASSING) & which
  if ((passing & PASSING_BACKS) != 0 && load<f32>(surface, SURFACE_SIDE) < 0) return true
  if ((passing & PASSING_MASK) != 0) return opacityAt(surface, hit, material) < load<f32>(material, MATERIAL_CUTOFF)
  // What is not mirrored passes, and the lobe only mirrors.
  if ((passing & PASSING_SHEET) != 0) return <f64>changetype<Rays>(0).chance(ray) >= mirroredAt(surface, material)
  if ((passing & PASSING_BLEND) == 0) return false
  const opacity = opacityAt(surface, hit, material)
  return opacity <= changetype<Rays>(0).chance(ray)
}

/** Dims a shadow ray's light by one of the four hits; whether anything is left of it. */
function lightPasses(index: u32, ray: u32, light: u32, which: u32, glassDims: bool): bool {
  const hit = passHits + index * HIT_BYTES
  const material = load<u32>(hit, HIT_MATERIAL)
  const passing = load<u32>(material, MATERIAL_PASSING) & which
  if ((passing & PASSING_SHEET) != 0) {
    const surface = passSurfaces + index * 4
    const passed = splat(<f32>(1 - mirroredAt(surface, material)))
    v128.store(light, mul(v128.load(light), mul(passed, colorAt(surface, hit, material))))
    return true
  }
  if ((passing & PASSING_SOME) == 0) {
    if (load<u32>(material, MATERIAL_KIND) != GLASS || !glassDims) return false
    store<u32>(ray, DIMMED, RAY_HIT)
    return true
  }
  const opacity = opacityAt(passSurfaces + index * 4, hit, material)
  if ((passing & PASSING_MASK) != 0) return opacity < load<f32>(material, MATERIAL_CUTOFF)
  if (opacity >= 1) return false
  v128.store(light, mul(v128.load(light), splat(<f32>1 - opacity)))
  return true
}

/** Share of light that a sheet mirrors. */
@inline
function mirroredAt(surface: u32, material: u32): f64 {
  const cosine = -(
    load<f32>(surface, SURFACE_DX) * load<f32>(surface, SURFACE_NX) +
    load<f32>(surface, SURFACE_DY) * load<f32>(surface, SURFACE_NY) +
    load<f32>(surface, SURFACE_DZ) * load<f32>(surface, SURFACE_NZ)
  )
  return sheetReflectance(<f64>cosine, load<f64>(material, MATERIAL_IOR))
}

@inline
function opacityAt(surface: u32, hit: u32, material: u32): f32 {
  return f32x4.extract_lane(colorAt(surface, hit, material), 3)
}

/** Colour and opacity at a hit point, on the finest level: a mask keeps its shape at any distance. */
export function colorAt(surface: u32, hit: u32, material: u32): v128 {
  let color = f32x4.replace_lane(v128.load(material, MATERIAL_COLOR), 3, load<f32>(material, MATERIAL_OPACITY))
  if ((load<u32>(material, MATERIAL_VARIES) & VARIES_VERTEX_COLORS) != 0) color = mul(color, vertexColor(surface, hit))
  const maps = load<u32>(material, MATERIAL_MAPS)
  const count = load<u32>(material, MATERIAL_MAP_COUNT)
  for (let i: u32 = 0; i < count; i++) {
    const map = maps + i * MAP_BYTES
    const name = load<u32>(map, MAP_NAME)
    if (name == MAP_COLOR) color = mul(color, lookUp(map, surface, hit, 0))
    else if (name == MAP_OPACITY) {
      const opacity = f32x4.extract_lane(color, 3) * f32x4.extract_lane(lookUp(map, surface, hit, 0), 1)
      color = f32x4.replace_lane(color, 3, opacity)
    }
  }
  return color
}

/** Writes a ray that begins behind another's hit: at the next larger distance. */
@inline
function sendBehind(ray: u32, behind: u32, end: f32): void {
  const distance = load<f32>(ray, RAY_T_MAX)
  copyRay(ray, behind)
  store<f32>(behind, reinterpret<f32>(reinterpret<u32>(distance) + 1), RAY_T_MIN)
  store<f32>(behind, end, RAY_T_MAX)
}

/** The ray has gone on as its copy did; its steps add up. */
@inline
function takeOver(copy: u32, ray: u32): void {
  const steps = load<u32>(ray, RAY_STEPS) + load<u32>(copy, RAY_STEPS)
  copyRay(copy, ray)
  store<u32>(ray, steps, RAY_STEPS)
}

@inline
function copyRay(from: u32, to: u32): void {
  v128.store(to, v128.load(from))
  v128.store(to, v128.load(from, 16), 16)
  v128.store(to, v128.load(from, 32), 32)
  store<u32>(to, load<u32>(from, RAY_INSTANCE), RAY_INSTANCE)
}
