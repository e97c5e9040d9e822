/** Bundles at triangle4s: which of their rays have to be tested, and their tests. */
import { Child, Corner, Group, Ray, Slab } from '../records'
import {
  bundledRay,
  FIRST_RECORD,
  LOW_ORIGIN,
  PLACE,
  QUAD_AXES,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_HIT,
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
import { distancesAlong, firstOf, goesOn, leastOf, nearness, passedByRecord } from './triangle4-step'
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

/** Bit i: whether ray i may hit something in a box. @param relative whether its planes are relative to the origin of all rays */
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
  return i32x4.bitmask(f32x4.le(entry, f32x4.mul(exit, f32x4.splat(QUAD_SLACK))))
}

/** A plane relative to the origins of four rays. */
@inline
function from(origins: u32, plane: v128, relative: bool): v128 {
  return relative ? plane : f32x4.sub(plane, v128.load(origins))
}

/**
 * Tests some rays of a bundle against a triangle4, as `stepTriangle4sClosest` does.
 * @param some bit i: ray i @param corners the triangle4's, or the same relative to the origin of all rays @param relative whether they are
 */
@inline
function testRays(bundle: u32, some: u32, triangle4: u32, corners: u32, relative: bool): void {
  for (; some != 0; some &= some - 1) {
    const i = i32.ctz(some)
    const ray = bundledRay(bundle, i)
    store<u32>(ray, load<u32>(ray, QUAD_STEPS) + 1, QUAD_STEPS)
    const axes = load<u32>(ray, QUAD_AXES)
    const kx = load<u32>(axes)
    const ky = load<u32>(axes, 4)
    const kz = load<u32>(axes, 8)
    const nothing = f32x4.splat(0)
    let t = distancesAlong(
      corners + kx,
      corners + ky,
      corners + kz,
      relative ? nothing : v128.load32_splat(ray + kx),
      relative ? nothing : v128.load32_splat(ray + ky),
      relative ? nothing : v128.load32_splat(ray + kz),
      v128.load32_splat(ray, QUAD_SHEAR_X),
      v128.load32_splat(ray, QUAD_SHEAR_Y),
      v128.load32_splat(ray, QUAD_SCALE_Z),
      relative,
    )
    if (leans) t = f32x4.mul(t, nearness(triangle4))
    const tMin = v128.load32_splat(ray, QUAD_T_MIN)
    let mask = v128.and(f32x4.ge(t, tMin), f32x4.le(t, v128.load32_splat(ray, QUAD_BEST)))
    if (!v128.any_true(mask)) continue
    const start = v128.and(mask, f32x4.eq(t, tMin))
    if (v128.any_true(start)) {
      const record = load<u32>(bundle, FIRST_RECORD) + i * Ray.BYTES
      if (goesOn(record)) {
        mask = v128.andnot(mask, passedByRecord(record, triangle4, start))
        if (!v128.any_true(mask)) continue
      }
    }
    const masked = v128.bitselect(t, f32x4.splat(Infinity), mask)
    const least = leastOf(masked)
    const lanes = i32x4.bitmask(v128.and(mask, f32x4.eq(masked, least)))
    const best = load<f32>(ray, QUAD_BEST)
    const hit = load<u32>(ray, QUAD_HIT)
    const distance = f32x4.extract_lane(least, 0)
    let slot = triangle4 + (i32.ctz(lanes) << 2)
    // Of triangles hit at the same distance the first counts: on edges, and where surfaces coincide.
    if ((lanes & (lanes - 1)) != 0 || (hit != 0 && distance == best)) slot = firstOf(triangle4, lanes, distance == best ? hit : 0)
    // A ray that starts on a triangle can hit it at -0, which as an integer would be less than everything.
    store<f32>(ray, distance + 0, QUAD_BEST)
    store<u32>(ray, slot, QUAD_HIT)
  }
}
