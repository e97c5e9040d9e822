/**
 * Surfaces that let rays pass: masks, blends, sheets of glass, and back sides that cameras look through. A ray that passes is traced again from behind
 * its hit, with all others that do, until each has met something that stops it, or nothing. So no answer depends on the order of
 * intersections, nor on which rays are traced together.
 */
import {
  Hit,
  MapName,
  Material,
  MaterialKind,
  Passing,
  Ray,
  Scene,
  Shadow,
  Surface,
  TextureUse,
  Varies,
  View,
} from '../records'
import { hasInstances, hitParts } from '../placed-triangle'
import { traceClosestHere } from '../trace/trace'
import { firstParts } from '../triangle-parts'
import { sheetReflectance } from './fresnel'
import { meet } from './hit-point'
import { lookUpAt, vertexColor } from './lookup'
import { add, mul, splat } from './math/floats'
import { placeHits } from './placed-hits'
import { MAX_PASSING, passHits, passing, passPlaced, passSurfaces, view } from './workspace'

/** Rays that are traced again, and after them the address of each one's original. */
@inline
export function originals(): u32 {
  return passing + MAX_PASSING * Ray.BYTES
}

/**
 * Sends traced closest-hit rays on through what lets them pass. What differs between integrators is a class without fields, whose
 * methods the compiler knows, so that calls of them are direct (`ambient/pass.ts`, `path/pass.ts`):
 *
 *     passages(camera): u32          flags of Passing that let rays pass, of the camera and others
 *     isCamera(ray): bool            whether a ray comes from the camera
 *     chance(ray): f32               a number in [0, 1) that decides about it at what it has hit; 0 where blends stop it
 *     pass(ray, hit, surface): void  before it goes on
 */
export function passOn<Rays>(rays: u32, count: u32): void {
  const rules = changetype<Rays>(0)
  if ((Scene.passing() & (rules.passages(true) | rules.passages(false))) == 0) return
  let waiting: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const ray = rays + i * Ray.BYTES
    if (mayPass(ray, rules.passages(rules.isCamera(ray)))) store<u32>(originals() + waiting++ * 4, ray)
  }
  while (waiting > 0) {
    let going: u32 = 0
    for (let first: u32 = 0; first < waiting; first += 4) {
      const next = min<u32>(first + 4, waiting)
      listMet(first, next, false)
      for (let i = first; i < next; i++) {
        const ray = load<u32>(originals() + i * 4)
        const hit = passHits + (i - first) * Hit.BYTES
        const surface = passSurfaces + (i - first) * 4
        const camera = rules.isCamera(ray)
        if (!passes<Rays>(ray, hit, surface, rules.passages(camera))) continue
        rules.pass(ray, hit, surface)
        sendBehind(ray, passing + going * Ray.BYTES, camera ? <f32>View.far(view) : Infinity)
        store<u32>(originals() + going++ * 4, ray)
      }
    }
    traceClosestHere(passing, going, false)
    waiting = 0
    for (let i: u32 = 0; i < going; i++) {
      const ray = load<u32>(originals() + i * 4)
      takeOver(passing + i * Ray.BYTES, ray)
      if (mayPass(ray, rules.passages(rules.isCamera(ray)))) store<u32>(originals() + waiting++ * 4, ray)
    }
  }
}

/**
 * Sends traced shadow rays on that only met what lets some light through, and multiplies their light, f32[4] each at multiples of
 * `lightBytes`, by what passes. What is left of their hit: nothing, Shadow.BLOCKED, or Shadow.DIMMED by glass.
 * @param which flags of Passing that let them pass @param glassDims whether solid glass dims them; otherwise it blocks
 */
export function passShadows(rays: u32, count: u32, lights: u32, lightBytes: u32, which: u32, glassDims: bool): void {
  if ((Scene.passing() & which) == 0) return
  let waiting: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const ray = rays + i * Ray.BYTES
    if (Ray.hit(ray) != Shadow.DIMMED) continue
    Ray.setHit(ray, 0)
    store<u32>(originals() + waiting * 4, ray)
    copyRay(ray, passing + waiting++ * Ray.BYTES)
  }
  while (waiting > 0) {
    traceClosestHere(passing, waiting, false)
    let met: u32 = 0
    for (let i: u32 = 0; i < waiting; i++) {
      const traced = passing + i * Ray.BYTES
      const ray = load<u32>(originals() + i * 4)
      Ray.setSteps(ray, Ray.steps(ray) + Ray.steps(traced))
      if (Ray.hit(traced) == 0) continue
      if (met != i) copyRay(traced, passing + met * Ray.BYTES)
      store<u32>(originals() + met++ * 4, ray)
    }
    waiting = 0
    for (let first: u32 = 0; first < met; first += 4) {
      const next = min<u32>(first + 4, met)
      listMet(first, next, true)
      for (let i = first; i < next; i++) {
        const ray = load<u32>(originals() + i * 4)
        const traced = passing + i * Ray.BYTES
        const light = lights + ((ray - rays) / Ray.BYTES) * lightBytes
        if (!lightPasses(i - first, ray, light, which, glassDims)) {
          Ray.setHit(ray, Shadow.BLOCKED)
          continue
        }
        // The end of a shadow ray stays where it was.
        const end = Ray.tMax(ray)
        sendBehind(traced, passing + waiting * Ray.BYTES, end)
        store<u32>(originals() + waiting++ * 4, ray)
      }
    }
  }
}

/** Whether a ray has hit something that lets some such rays pass. */
@inline
function mayPass(ray: u32, which: u32): bool {
  const slot = Ray.hit(ray)
  return slot != 0 && (Material.passing(materialAt(ray, slot)) & which) != 0
}

@inline
export function materialAt(ray: u32, slot: u32): u32 {
  return i32x4.extract_lane(hitParts(ray, slot, Scene.triangles(), firstParts(), hasInstances()), 3)
}

/** Computes the surfaces of up to four of the waiting rays' hits (`passSurfaces`); `copies` says whether those are hits of the copies. */
export function listMet(first: u32, next: u32, copies: bool): void {
  const triangles = Scene.triangles()
  const parts = firstParts()
  const instances = hasInstances()
  for (let i = first; i < next; i++) {
    const ray = copies ? passing + i * Ray.BYTES : load<u32>(originals() + i * 4)
    const hit = passHits + (i - first) * Hit.BYTES
    Hit.setRay(hit, ray)
    Hit.setParts(hit, hitParts(ray, Ray.hit(ray), triangles, parts, instances))
    if (instances) Hit.setInstance(hit, Ray.instance(ray))
  }
  placeHits(passHits, passHits + (next - first - 1) * Hit.BYTES, passPlaced)
  meet(passSurfaces, passHits, passHits + (next - first - 1) * Hit.BYTES)
}

/** Of the newest hit that let a ray pass: whether that was a sheet, which tints light, and not a place where nothing is. */
export let passedSheet: bool = false

/** Whether a ray passes through its hit, which is one of four. @param which as in `mayPass` */
function passes<Rays>(ray: u32, hit: u32, surface: u32, which: u32): bool {
  const material = Hit.material(hit)
  const passing = Material.passing(material) & which
  passedSheet = false
  if ((passing & Passing.BACKS) != 0 && Surface.side(surface) < 0) return true
  let chance = changetype<Rays>(0).chance(ray)
  if ((passing & Passing.SOME) != 0) {
    const there = coverageAt(surface, hit, material)
    if (there <= chance) return true
    // The rest of its range decides about what is there.
    chance /= there
  }
  // What is not mirrored passes, and the lobe only mirrors.
  passedSheet = (passing & Passing.SHEET) != 0 && <f64>chance >= mirroredAt(surface, material)
  return passedSheet
}

/** Dims a shadow ray's light by one of the four hits; whether anything is left of it. */
function lightPasses(index: u32, ray: u32, light: u32, which: u32, glassDims: bool): bool {
  const hit = passHits + index * Hit.BYTES
  const material = Hit.material(hit)
  const passing = Material.passing(material) & which
  if ((passing & Passing.SHEET) != 0) {
    const surface = passSurfaces + index * 4
    const there = (passing & Passing.SOME) != 0 ? coverageAt(surface, hit, material) : 1
    const passed = splat(there * <f32>(1 - mirroredAt(surface, material)))
    const left = add(splat(1 - there), mul(passed, colorAt(surface, hit, material)))
    v128.store(light, mul(v128.load(light), left))
    return true
  }
  if ((passing & Passing.SOME) == 0) {
    if (Material.kind(material) != MaterialKind.GLASS || !glassDims) return false
    Ray.setHit(ray, Shadow.DIMMED)
    return true
  }
  const opacity = opacityAt(passSurfaces + index * 4, hit, material)
  if ((passing & Passing.MASK) != 0) return opacity < Material.alphaCutoff(material)
  if (opacity >= 1) return false
  v128.store(light, mul(v128.load(light), splat(<f32>1 - opacity)))
  return true
}

/** Share of a material that is there at a hit point: of a mask all or nothing. */
export function coverageAt(surface: u32, hit: u32, material: u32): f32 {
  const passing = Material.passing(material) & Passing.SOME
  if (passing == 0) return 1
  const opacity = opacityAt(surface, hit, material)
  if ((passing & Passing.MASK) != 0) return opacity < Material.alphaCutoff(material) ? 0 : 1
  return opacity
}

/** Share of light that a sheet mirrors. */
@inline
function mirroredAt(surface: u32, material: u32): f64 {
  const cosine = -(
    Surface.dx(surface) * Surface.nx(surface) +
    Surface.dy(surface) * Surface.ny(surface) +
    Surface.dz(surface) * Surface.nz(surface)
  )
  return sheetReflectance(<f64>cosine, Material.ior(material))
}

@inline
function opacityAt(surface: u32, hit: u32, material: u32): f32 {
  return f32x4.extract_lane(colorAt(surface, hit, material), 3)
}

/** Colour and opacity at a hit point, on the finest level: a mask keeps its shape at any distance. */
export function colorAt(surface: u32, hit: u32, material: u32): v128 {
  let color = f32x4.replace_lane(Material.color(material), 3, Material.opacity(material))
  if ((Material.varies(material) & Varies.BY_VERTEX_COLORS) != 0) color = mul(color, vertexColor(surface, hit))
  const maps = Material.maps(material)
  const count = Material.mapCount(material)
  for (let i: u32 = 0; i < count; i++) {
    const map = maps + i * TextureUse.BYTES
    const name = TextureUse.name(map)
    if (name == MapName.COLOR) color = mul(color, lookUpAt(map, surface, hit))
    else if (name == MapName.OPACITY) {
      const opacity = f32x4.extract_lane(color, 3) * f32x4.extract_lane(lookUpAt(map, surface, hit), 1)
      color = f32x4.replace_lane(color, 3, opacity)
    }
  }
  return color
}

/** Writes a ray that goes on from another's hit: to what is farther, or as far and comes after it (`trace/triangle4-step.ts`). */
@inline
export function sendBehind(ray: u32, behind: u32, end: f32): void {
  const distance = Ray.tMax(ray)
  copyRay(ray, behind)
  Ray.setTMin(behind, -distance)
  Ray.setTMax(behind, end)
}

/** The ray has gone on as its copy did; its steps add up. */
@inline
function takeOver(copy: u32, ray: u32): void {
  const steps = Ray.steps(ray) + Ray.steps(copy)
  copyRay(copy, ray)
  Ray.setSteps(ray, steps)
}

@inline
function copyRay(from: u32, to: u32): void {
  Ray.setOrigin(to, Ray.origin(from))
  Ray.setDirection(to, Ray.direction(from))
  Ray.setWords(to, Ray.words(from))
  Ray.setInstance(to, Ray.instance(from))
}
