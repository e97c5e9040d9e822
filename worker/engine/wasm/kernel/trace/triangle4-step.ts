/**
 * Rays against groups of four triangles (triangle4s): Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
 * The corners are translated to the ray's origin and sheared so that the ray becomes an axis; the triangle is hit if its 2D
 * projection contains the origin. Triangles that share an edge or a vertex see it at the same 2D point, and the sign of a
 * difference of two rounded products is never wrong: at worst it is zero, and zero counts as inside. So a closed mesh is closed
 * to every ray. The distance is then judged by the triangle's own box (`own-box.ts`). The order of operations is part of a pixel's definition; tests state the same in TypeScript.
 */
import { Corner, Id, Ray, Shadow, Triangle4 } from '../records'
import { lanesWithArea, placeTriangle4 } from '../placed-triangle4'
import { numberInScene } from '../triangle-number'
import { minusProduct, plusProduct } from './multiply-add'
import { liesInBox, withinBoxes } from './own-box'
import {
  BEST,
  BOTTOM,
  BLOCKER,
  CURRENT,
  enterTriangle4s,
  ENTRY,
  HIT,
  HIT_INSTANCE,
  INSTANCE,
  KX,
  KY,
  KZ,
  ORIGIN_KX,
  ORIGIN_KY,
  ORIGIN_KZ,
  RECORD,
  SCALE_Z,
  SHEAR_X,
  SHEAR_Y,
  SIDE,
  T_MIN,
  TOP,
} from './ray-context'
import { AXES_TABLE, CONTEXTS, leans, wide, workspace } from './workspace'

const EARLY: f32 = 1.0 / 1048576.0

/** Distances to the four triangles of a triangle4; NaN for one that is missed, or out of the ray's interval. */
@inline
function distances(ray: u32, triangle4: u32): v128 {
  const atX = triangle4 + load<u32>(ray, KX)
  const atY = triangle4 + load<u32>(ray, KY)
  const atZ = triangle4 + load<u32>(ray, KZ)
  const originX = v128.load32_splat(ray, ORIGIN_KX)
  const originY = v128.load32_splat(ray, ORIGIN_KY)
  const originZ = v128.load32_splat(ray, ORIGIN_KZ)
  const shearX = v128.load32_splat(ray, SHEAR_X)
  const shearY = v128.load32_splat(ray, SHEAR_Y)
  const scaleZ = v128.load32_splat(ray, SCALE_Z)
  const az = f32x4.sub(v128.load(atZ), originZ)
  const bz = f32x4.sub(v128.load(atZ, Corner.BYTES), originZ)
  const cz = f32x4.sub(v128.load(atZ, 2 * Corner.BYTES), originZ)
  const ax = minusProduct(f32x4.sub(v128.load(atX), originX), shearX, az)
  const bx = minusProduct(f32x4.sub(v128.load(atX, Corner.BYTES), originX), shearX, bz)
  const cx = minusProduct(f32x4.sub(v128.load(atX, 2 * Corner.BYTES), originX), shearX, cz)
  const ay = minusProduct(f32x4.sub(v128.load(atY), originY), shearY, az)
  const by = minusProduct(f32x4.sub(v128.load(atY, Corner.BYTES), originY), shearY, bz)
  const cy = minusProduct(f32x4.sub(v128.load(atY, 2 * Corner.BYTES), originY), shearY, cz)
  const u = weightOf(cx, by, cy, bx)
  const v = weightOf(ax, cy, ay, cx)
  const w = weightOf(bx, ay, by, ax)
  const outside = areOutside(u, v, w)
  // All ones is a NaN.
  return v128.or(distanceBy(u, v, w, az, bz, cz, scaleZ), outside)
}

/** The weight of a corner: twice the area, as sheared, between the ray and the edge from b to a, which is opposite. */
@inline
export function weightOf(bx: v128, ay: v128, by: v128, ax: v128): v128 {
  return f32x4.sub(f32x4.mul(bx, ay), f32x4.mul(by, ax))
}

/** Whether the weights of three corners have both signs. */
@inline
export function areOutside(u: v128, v: v128, w: v128): v128 {
  const zero = f32x4.splat(0)
  return v128.and(
    f32x4.lt(f32x4.pmin(u, f32x4.pmin(v, w)), zero),
    f32x4.gt(f32x4.pmax(u, f32x4.pmax(v, w)), zero),
  )
}

/** The distance, by the weights and the depths of three corners. Edge-on a triangle has u = v = w = 0: it is the NaN of 0 / 0. */
@inline
export function distanceBy(u: v128, v: v128, w: v128, az: v128, bz: v128, cz: v128, scaleZ: v128): v128 {
  const depth = plusProduct(plusProduct(f32x4.mul(u, az), v, bz), w, cz)
  return f32x4.div(f32x4.mul(depth, scaleZ), f32x4.add(f32x4.add(u, v), w))
}

/** Lanes whose distance lies in the ray's interval. */
@inline
function within(ray: u32, t: v128): v128 {
  return v128.and(f32x4.ge(t, v128.load32_splat(ray, T_MIN)), f32x4.le(t, v128.load(ray, BEST)))
}

/** Tests the listed rays against their current triangle4s, and keeps the nearest hits. */
export function stepTriangle4sClosest(list: u32, end: u32): void {
  stepClosest(list, end, 0)
}

/** The same in scenes with instances, and where every hit is judged by its triangle's box; `placed` is scratch of twice as many bytes as a triangle4 has before its ids. */
export function stepTriangle4sClosestWide(list: u32, end: u32, placed: u32): void {
  stepClosest(list, end, placed)
}

/** A ray's current triangle4, in the scene's coordinates. */
@inline
function cornersFor(ray: u32, triangle4: u32, placed: u32): u32 {
  const instance = load<u32>(ray, INSTANCE)
  if (instance == 0) return triangle4
  placeTriangle4(triangle4, instance, placed)
  return placed
}

@inline
function stepClosest(list: u32, end: u32, placed: u32): void {
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const triangle4 = load<u32>(ray, CURRENT) - 1
    const corners = placed == 0 ? triangle4 : cornersFor(ray, triangle4, placed)
    let t = distances(ray, corners)
    if (leans) t = f32x4.mul(t, nearness(triangle4))
    let mask = within(ray, t)
    if (!v128.any_true(mask)) continue
    if (placed != 0 && corners == placed) {
      mask = lanesWithArea(corners, mask)
      if (!v128.any_true(mask)) continue
    }
    const start = v128.and(mask, f32x4.eq(t, v128.load32_splat(ray, T_MIN)))
    if (v128.any_true(start) && goesOn(load<u32>(ray, RECORD))) {
      mask = v128.andnot(mask, passedLanes(ray, triangle4, corners, start, placed))
      if (!v128.any_true(mask)) continue
    }
    let masked = v128.bitselect(t, f32x4.splat(Infinity), mask)
    let least = leastOf(masked)
    let lanes = i32x4.bitmask(v128.and(mask, f32x4.eq(masked, least)))
    // Otherwise the ray's nearest hit is judged when it ends (`stream.ts`).
    if (placed != 0) {
      const side = load<u32>(ray, SIDE)
      const lane = i32.ctz(lanes)
      if ((lanes & (lanes - 1)) != 0 || !liesInBox(side, corners + (lane << 2), least)) {
        t = withinBoxes(side, corners, t)
        mask = v128.and(mask, within(ray, t))
        if (!v128.any_true(mask)) continue
        masked = v128.bitselect(t, f32x4.splat(Infinity), mask)
        least = leastOf(masked)
        lanes = i32x4.bitmask(v128.and(mask, f32x4.eq(masked, least)))
      }
    }
    const best = load<f32>(ray, BEST)
    const hit = load<u32>(ray, HIT)
    const distance = f32x4.extract_lane(least, 0)
    let slot = triangle4 + (i32.ctz(lanes) << 2)
    // Of triangles hit at the same distance the first counts: on edges, and where surfaces coincide.
    if ((lanes & (lanes - 1)) != 0 || (hit != 0 && distance == best)) {
      slot = firstOf(triangle4, lanes, placed == 0 && distance == best ? hit : 0)
      if (placed != 0 && hit != 0 && distance == best && comesBefore(ray, hit, slot)) continue
    }
    if (placed != 0) store<u32>(ray, load<u32>(ray, INSTANCE), HIT_INSTANCE)
    // A ray that starts on a triangle can hit it at -0, which as an integer would be less than everything.
    v128.store(ray, f32x4.add(least, f32x4.splat(0)), BEST)
    store<u32>(ray, slot, HIT)
  }
}

/** The least of four distances, in all lanes. */
@inline
function leastOf(t: v128): v128 {
  const pairs = f32x4.pmin(t, i32x4.shuffle(t, t, 2, 3, 0, 1))
  return f32x4.pmin(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
}

/**
 * Factors of the distances to four triangles: those that let light through are met a little early, so that a decal in the plane of a floor shows, although rounding
 * puts the floor first at many of its points. A few units in the last place are enough, and half of what boxes are widened by (BOX_SLACK).
 */
@inline
function nearness(triangle4: u32): v128 {
  return v128.bitselect(f32x4.splat(1 - EARLY), f32x4.splat(1), i32x4.shr_s(Triangle4.idLanes(triangle4), 31))
}

/** The same of one triangle. */
@inline
export function nearnessOf(slot: u32): v128 {
  return f32x4.splat((Triangle4.id(slot) & Id.CLEAR) != 0 ? 1 - EARLY : 1)
}

/** Whether the ray of a record goes on from a triangle that it has passed (`surface/pass.ts`). */
@inline
export function goesOn(record: u32): bool {
  return reinterpret<i32>(Ray.tMin(record)) < 0
}

/** Whether the ray of a record has passed the triangle in a slot; in scenes without instances. */
export function hasPassed(record: u32, slot: u32): bool {
  // The stream has no rays while bundles are traced.
  const context = workspace + CONTEXTS
  enterTriangle4s(context, record, workspace + AXES_TABLE)
  const lane = slot & 15
  const triangle4 = slot - lane
  return v128.any_true(passedLanes(context, triangle4, triangle4, i32x4.eq(i32x4(0, 4, 8, 12), i32x4.splat(lane)), 0))
}

/**
 * Of lanes at the distance that a ray goes on from, those that it has passed: triangles up to the one there, and its neighbours, if they are met on what they share. So what passes one of two surfaces that coincide meets the other, and what passes an edge of a surface has passed the surface.
 * @param corners the triangle4 in the scene's coordinates @param placed as for `stepTriangle4sClosestWide`, or 0
 */
function passedLanes(ray: u32, triangle4: u32, corners: u32, start: v128, placed: u32): v128 {
  const record = load<u32>(ray, RECORD)
  const from = Ray.hit(record)
  const instances = wide
  const instance = instances ? load<u32>(ray, INSTANCE) : 0
  const fromInstance = instances ? Ray.instance(record) : 0
  const last = instances ? rankIn(from, fromInstance) : rankOf(from)
  const fromCorners = fromInstance == 0 ? from : placeSlot(from, fromInstance, placed + Triangle4.ID)
  const zeros = zeroWeights(ray, corners)
  let passed = i32x4.splat(0)
  for (let lanes = i32x4.bitmask(start); lanes != 0; lanes &= lanes - 1) {
    const lane = i32.ctz(lanes)
    const slot = triangle4 + (lane << 2)
    const rank = instances ? rankIn(slot, instance) : rankOf(slot)
    if (rank <= last || isMetWith(fromCorners, corners + (lane << 2), zeros >> lane)) passed = v128.or(passed, i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(lane)))
  }
  return passed
}

/** Of the four triangles, bits of those whose first corner has no weight where the line of a ray meets them; then of the second, and of the third. */
function zeroWeights(ray: u32, triangle4: u32): i32 {
  const atX = triangle4 + load<u32>(ray, KX)
  const atY = triangle4 + load<u32>(ray, KY)
  const atZ = triangle4 + load<u32>(ray, KZ)
  const originZ = v128.load32_splat(ray, ORIGIN_KZ)
  const az = f32x4.sub(v128.load(atZ), originZ)
  const bz = f32x4.sub(v128.load(atZ, Corner.BYTES), originZ)
  const cz = f32x4.sub(v128.load(atZ, 2 * Corner.BYTES), originZ)
  const originX = v128.load32_splat(ray, ORIGIN_KX)
  const shearX = v128.load32_splat(ray, SHEAR_X)
  const ax = minusProduct(f32x4.sub(v128.load(atX), originX), shearX, az)
  const bx = minusProduct(f32x4.sub(v128.load(atX, Corner.BYTES), originX), shearX, bz)
  const cx = minusProduct(f32x4.sub(v128.load(atX, 2 * Corner.BYTES), originX), shearX, cz)
  const originY = v128.load32_splat(ray, ORIGIN_KY)
  const shearY = v128.load32_splat(ray, SHEAR_Y)
  const ay = minusProduct(f32x4.sub(v128.load(atY), originY), shearY, az)
  const by = minusProduct(f32x4.sub(v128.load(atY, Corner.BYTES), originY), shearY, bz)
  const cy = minusProduct(f32x4.sub(v128.load(atY, 2 * Corner.BYTES), originY), shearY, cz)
  const zero = f32x4.splat(0)
  const first = i32x4.bitmask(f32x4.eq(weightOf(cx, by, cy, bx), zero))
  const second = i32x4.bitmask(f32x4.eq(weightOf(ax, cy, ay, cx), zero))
  const third = i32x4.bitmask(f32x4.eq(weightOf(bx, ay, by, ax), zero))
  return first | (second << 4) | (third << 8)
}

/** A slot of a mesh's triangle4 as an instance has it; `to` is scratch. */
function placeSlot(slot: u32, instance: u32, to: u32): u32 {
  const lane = slot & 15
  placeTriangle4(slot - lane, instance, to)
  return to + lane
}

/**
 * Whether a triangle is met on the edge or the corner that it shares with another, both in the scene's coordinates: its other corners have no weight. One that
 * covers the other, and happens to be met on an edge of its own, is not.
 * @param zeros as of the first lane in `zeroWeights`
 */
function isMetWith(other: u32, slot: u32, zeros: i32): bool {
  let shared: u32 = 0
  for (let corner = slot; corner < slot + 3 * Corner.BYTES; corner += Corner.BYTES) {
    if (isCornerOf(other, corner)) shared++
    else if ((zeros & 1) == 0) return false
    zeros >>= 4
  }
  return shared == 1 || shared == 2
}

@inline
function isCornerOf(slot: u32, point: u32): bool {
  return (
    isSamePoint(slot, point) ||
    isSamePoint(slot + Corner.BYTES, point) ||
    isSamePoint(slot + 2 * Corner.BYTES, point)
  )
}

@inline
function isSamePoint(a: u32, b: u32): bool {
  return (
    load<f32>(a) == load<f32>(b) && load<f32>(a, 16) == load<f32>(b, 16) && load<f32>(a, 32) == load<f32>(b, 32)
  )
}

/** The slot of the first triangle among the lanes of a triangle4 and another slot, if that is not 0. */
function firstOf(triangle4: u32, lanes: i32, slot: u32): u32 {
  for (; lanes != 0; lanes &= lanes - 1) {
    const other = triangle4 + (i32.ctz(lanes) << 2)
    if (slot == 0 || rankOf(other) < rankOf(slot)) slot = other
  }
  return slot
}

/** Whether a ray's nearest hit so far comes before one in the instance that it is in. */
function comesBefore(ray: u32, hit: u32, slot: u32): bool {
  return rankIn(hit, load<u32>(ray, HIT_INSTANCE)) < rankIn(slot, load<u32>(ray, INSTANCE))
}

/** Tests the listed rays against their current triangle4s; a ray that hits something opaque ends. */
export function stepTriangle4sShadow(list: u32, end: u32): void {
  stepShadow(list, end, 0)
}

/** The same in scenes with instances, and where every hit is judged by its triangle's box; `placed` is scratch of as many bytes as a triangle4 has before its ids. */
export function stepTriangle4sShadowWide(list: u32, end: u32, placed: u32): void {
  stepShadow(list, end, placed)
}

@inline
function stepShadow(list: u32, end: u32, placed: u32): void {
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const triangle4 = load<u32>(ray, CURRENT) - 1
    const corners = placed == 0 ? triangle4 : cornersFor(ray, triangle4, placed)
    const t = distances(ray, corners)
    let mask = within(ray, t)
    if (placed != 0 && corners == placed) mask = lanesWithArea(corners, mask)
    let lanes = i32x4.bitmask(mask)
    const clear = i32x4.bitmask(Triangle4.idLanes(triangle4))
    // Otherwise what blocks a ray is judged when it ends, as there are no branches here that depend on most rays.
    if (placed != 0 ? lanes != 0 : (lanes & clear) != 0) {
      lanes = i32x4.bitmask(v128.and(mask, within(ray, withinBoxes(placed != 0 ? load<u32>(ray, SIDE) : ray, corners, t))))
    }
    const opaque = lanes & ~clear
    const dimmed = lanes & clear
    if (placed == 0) {
      v128.store(ray, t, ENTRY)
      store<u32>(ray, triangle4 + (i32.ctz(opaque) << 2), BLOCKER)
    }
    const flags = select<u32>(Shadow.BLOCKED, 0, opaque != 0) | select<u32>(Shadow.DIMMED, 0, dimmed != 0)
    store<u32>(ray, load<u32>(ray, HIT) | flags, HIT)
    store<u32>(ray, select<u32>(load<u32>(ray, BOTTOM) + 16, load<u32>(ray, TOP), opaque != 0), TOP)
  }
}

@inline
function idOf(slot: u32): u32 {
  return Triangle4.id(slot) & Id.MASK
}

/**
 * The order of triangles at the same distance: those that let light through come first, so that a decal shows on what it lies on; among equals, the order of
 * their numbers.
 */
@inline
export function rankOf(slot: u32): u32 {
  return Triangle4.id(slot) ^ Id.CLEAR
}

/** The same among all that the scene shows. */
function rankIn(slot: u32, instance: u32): u32 {
  return numberInScene(idOf(slot), instance) | (~Triangle4.id(slot) & Id.CLEAR)
}
