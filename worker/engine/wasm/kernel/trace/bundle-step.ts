/** Bundles at triangle4s: which of their rays have to be tested, and their tests. */
import { Child, Corner, Group, Ray, Slab } from '../records'
import {
  AXES,
  FIRST_RECORD,
  LOW_ORIGIN,
  PLACE,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_CERTAIN,
  QUAD_HIT,
  QUAD_IN_BOX,
  QUAD_INVERSE,
  QUAD_SCALE_Z,
  QUAD_SHEAR_X,
  QUAD_SHEAR_Y,
  QUAD_STEPS,
  QUAD_T_MIN,
  QUADS,
  SHARED,
  takeBests,
} from './bundle-context'
import { CURRENT, NEAR } from './ray-context'
import { areOutside, distanceBy, goesOn, hasPassed, nearnessOf, rankOf, weightOf } from './triangle4-step'
import { minusProduct } from './multiply-add'
import { fourLieInBox } from './own-box'
import { leans } from './workspace'

/** As much as what single rays shrink where they enter boxes, and stretch where they leave them, or more: a step less here. */
const QUAD_SLACK: f32 = 1.0 + 1.0 / 131072.0

/** Tests the rays of the listed bundles against their triangle4s, and keeps the nearest hits; `moved` is scratch of as many bytes as a triangle4 has before its ids. */
export function stepBundleTriangle4s(list: u32, end: u32, moved: u32): void {
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const triangle4 = load<u32>(bundle, CURRENT) - Child.TRIANGLE4
    // The planes of the triangle4's box, in its parent, through which all rays enter, and those through which they leave.
    const box = load<u32>(bundle, PLACE) - Group.CHILDREN
    const planeX = box + load<u32>(bundle, NEAR)
    const planeY = box + load<u32>(bundle, NEAR + 4)
    const planeZ = box + load<u32>(bundle, NEAR + 8)
    const nearX = v128.load32_splat(planeX)
    const nearY = v128.load32_splat(planeY)
    const nearZ = v128.load32_splat(planeZ)
    const farX = v128.load32_splat(planeX ^ Slab.OTHER_SIDE)
    const farY = v128.load32_splat(planeY ^ Slab.OTHER_SIDE)
    const farZ = v128.load32_splat(planeZ ^ Slab.OTHER_SIDE)
    const quads = bundle + QUADS
    if (load<u32>(bundle, SHARED) != 0) {
      const x = v128.load32_splat(bundle, LOW_ORIGIN)
      const y = v128.load32_splat(bundle, LOW_ORIGIN + 4)
      const z = v128.load32_splat(bundle, LOW_ORIGIN + 8)
      const some = raysInBox(
        quads,
        f32x4.sub(nearX, x),
        f32x4.sub(nearY, y),
        f32x4.sub(nearZ, z),
        f32x4.sub(farX, x),
        f32x4.sub(farY, y),
        f32x4.sub(farZ, z),
        true,
      )
      if (some == 0) continue
      for (let corner: u32 = 0; corner < 3 * Corner.BYTES; corner += Corner.BYTES) {
        v128.store(moved + corner, f32x4.sub(v128.load(triangle4 + corner), x))
        v128.store(moved + corner, f32x4.sub(v128.load(triangle4 + corner, 16), y), 16)
        v128.store(moved + corner, f32x4.sub(v128.load(triangle4 + corner, 32), z), 32)
      }
      testRays(bundle, some, triangle4, moved, true)
    } else {
      const some = raysInBox(quads, nearX, nearY, nearZ, farX, farY, farZ, false)
      if (some == 0) continue
      testRays(bundle, some, triangle4, triangle4, false)
    }
    takeBests(bundle)
  }
}

/** Bit i: whether ray i may hit something in a box; QUAD_IN_BOX says the same. @param relative whether its planes are relative to the origin of all rays */
@inline
function raysInBox(quads: u32, nearX: v128, nearY: v128, nearZ: v128, farX: v128, farY: v128, farZ: v128, relative: bool): u32 {
  return (
    fourInBox(quads, nearX, nearY, nearZ, farX, farY, farZ, relative) |
    (fourInBox(quads + QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 4) |
    (fourInBox(quads + 2 * QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 8) |
    (fourInBox(quads + 3 * QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 12)
  )
}

@inline
function fourInBox(quad: u32, nearX: v128, nearY: v128, nearZ: v128, farX: v128, farY: v128, farZ: v128, relative: bool): u32 {
  const x = v128.load(quad, QUAD_INVERSE)
  let entry = f32x4.pmax(f32x4.splat(0), f32x4.mul(from(quad, nearX, relative), x))
  let exit = f32x4.pmin(v128.load(quad, QUAD_BEST), f32x4.mul(from(quad, farX, relative), x))
  const y = v128.load(quad, QUAD_INVERSE + 16)
  entry = f32x4.pmax(entry, f32x4.mul(from(quad + 16, nearY, relative), y))
  exit = f32x4.pmin(exit, f32x4.mul(from(quad + 16, farY, relative), y))
  const z = v128.load(quad, QUAD_INVERSE + 32)
  entry = f32x4.pmax(entry, f32x4.mul(from(quad + 32, nearZ, relative), z))
  exit = f32x4.pmin(exit, f32x4.mul(from(quad + 32, farZ, relative), z))
  const inBox = f32x4.le(entry, f32x4.mul(exit, f32x4.splat(QUAD_SLACK)))
  v128.store(quad, inBox, QUAD_IN_BOX)
  return i32x4.bitmask(inBox)
}

/** A plane relative to the origins of four rays. */
@inline
function from(origins: u32, plane: v128, relative: bool): v128 {
  return relative ? plane : f32x4.sub(plane, v128.load(origins))
}

/**
 * Tests some rays of a bundle against a triangle4, as `stepTriangle4sClosest` does: four rays against a triangle at a time, most of which miss it together.
 * @param some bit i: ray i @param corners the triangle4's, or the same relative to the origin of all rays @param relative whether they are
 */
@inline
function testRays(bundle: u32, some: u32, triangle4: u32, corners: u32, relative: bool): void {
  const kx = load<u32>(bundle, AXES)
  const ky = load<u32>(bundle, AXES + 4)
  const kz = load<u32>(bundle, AXES + 8)
  const cornersX = corners + kx
  const cornersY = corners + ky
  const cornersZ = corners + kz
  const nothing = f32x4.splat(0)
  for (let quad = bundle + QUADS; some != 0; some >>= 4, quad += QUAD_BYTES) {
    const four = some & 15
    if (four == 0) continue
    // All ones is -1.
    const inBox = v128.load(quad, QUAD_IN_BOX)
    v128.store(quad, i32x4.sub(v128.load(quad, QUAD_STEPS), inBox), QUAD_STEPS)
    for (let lane: u32 = 0; lane < 16; lane += 4) {
      const atX = cornersX + lane
      const atY = cornersY + lane
      const atZ = cornersZ + lane
      const shearX = v128.load(quad, QUAD_SHEAR_X)
      const shearY = v128.load(quad, QUAD_SHEAR_Y)
      const originX = quad + kx
      const originY = quad + ky
      const originZ = quad + kz
      // As for one ray, in the order of its operations (`triangle4-step.ts`).
      const az = from(originZ, v128.load32_splat(atZ), relative)
      const bz = from(originZ, v128.load32_splat(atZ, Corner.BYTES), relative)
      const cz = from(originZ, v128.load32_splat(atZ, 2 * Corner.BYTES), relative)
      const ax = minusProduct(from(originX, v128.load32_splat(atX), relative), shearX, az)
      const bx = minusProduct(from(originX, v128.load32_splat(atX, Corner.BYTES), relative), shearX, bz)
      const cx = minusProduct(from(originX, v128.load32_splat(atX, 2 * Corner.BYTES), relative), shearX, cz)
      const ay = minusProduct(from(originY, v128.load32_splat(atY), relative), shearY, az)
      const by = minusProduct(from(originY, v128.load32_splat(atY, Corner.BYTES), relative), shearY, bz)
      const cy = minusProduct(from(originY, v128.load32_splat(atY, 2 * Corner.BYTES), relative), shearY, cz)
      const u = weightOf(cx, by, cy, bx)
      const v = weightOf(ax, cy, ay, cx)
      const w = weightOf(bx, ay, by, ax)
      // Most triangles of a leaf are beside all rays of four.
      const outside = areOutside(u, v, w)
      if ((i32x4.bitmask(outside) & four) == four) continue
      const slot = triangle4 + lane
      // All ones is a NaN.
      let t = v128.or(distanceBy(u, v, w, az, bz, cz, v128.load(quad, QUAD_SCALE_Z)), outside)
      if (leans) t = f32x4.mul(t, nearnessOf(slot))
      const tMin = v128.load(quad, QUAD_T_MIN)
      const best = v128.load(quad, QUAD_BEST)
      let mask = v128.and(inBox, v128.and(f32x4.ge(t, tMin), f32x4.le(t, best)))
      if (!v128.any_true(mask)) continue
      const hit = v128.load(quad, QUAD_HIT)
      const special = v128.and(mask, v128.or(f32x4.eq(t, tMin), f32x4.eq(t, best)))
      if (v128.any_true(special)) mask = v128.andnot(mask, lesserHits(bundle, quad, slot, t, mask))
      // A ray that starts on a triangle can hit it at -0, which as an integer would be less than everything.
      v128.store(quad, v128.bitselect(f32x4.add(t, nothing), best, mask), QUAD_BEST)
      v128.store(quad, v128.bitselect(i32x4.splat(slot), hit, mask), QUAD_HIT)
      const certain = fourLieInBox(quad, corners + lane, t, relative)
      v128.store(quad, v128.bitselect(certain, v128.load(quad, QUAD_CERTAIN), mask), QUAD_CERTAIN)
    }
  }
}

/** Of four rays, some of which hit a triangle at distances `t`, those that have passed it, or have hit one that comes first at the same distance. */
function lesserHits(bundle: u32, quad: u32, slot: u32, t: v128, mask: v128): v128 {
  const first = load<u32>(bundle, FIRST_RECORD) + ((quad - bundle - QUADS) / QUAD_BYTES) * 4 * Ray.BYTES
  const starts = i32x4.bitmask(f32x4.eq(t, v128.load(quad, QUAD_T_MIN)))
  const ties = i32x4.bitmask(f32x4.eq(t, v128.load(quad, QUAD_BEST)))
  let lesser = i32x4.splat(0)
  for (let rays = i32x4.bitmask(mask) & (starts | ties); rays != 0; rays &= rays - 1) {
    const lane = i32.ctz(rays)
    const record = first + lane * Ray.BYTES
    const hit = load<u32>(quad + (lane << 2), QUAD_HIT)
    // Of triangles hit at the same distance the first counts: on edges, and where surfaces coincide.
    const comesAfter = ((ties >> lane) & 1) != 0 && hit != 0 && rankOf(hit) < rankOf(slot)
    if (comesAfter || (((starts >> lane) & 1) != 0 && goesOn(record) && hasPassed(record, slot))) lesser = v128.or(lesser, i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(lane)))
  }
  return lesser
}
