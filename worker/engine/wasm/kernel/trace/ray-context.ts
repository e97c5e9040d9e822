/**
 * The traversal state of a ray: everything that the steps of the stream need. In memory and not in registers, because a
 * compiler that sinks the divisions of a ray's setup into the loop over its nodes costs a tenth.
 *
 *     +0   f32 origin x y z | free
 *     +16  f32 1 / direction x y z | free
 *     +32  f32 entry[4] of each group: where the ray enters the children of the current node; of some shadow rays, how far it goes through them; at a triangle4,
 *          of a shadow ray: distances to the four triangles | the slot of one that blocks it
 *     +64  u32 bottom of the stack | in scenes with instances: address of what is beside the context (`instances.ts`), the instance that the ray
 *          is in, that of its nearest hit
 *     +80  f32 best[4]: nearest hit so far, or tMax
 *     +96  u32 near[3] | children: offsets in a group of the planes where the ray enters; bits of entered children
 *     +112 u32 current | top | steps | hit: current child word, top of the stack, steps so far, slot of the nearest hit
 *     +128 u32 kx ky kz | free: offsets in a triangle4 of the coordinates along the ray's axes
 *     +144 f32 origin along kx, ky, kz | tMin
 *     +160 f32 shearX shearY scaleZ | u32 ray record
 *
 * A step through a node needs two of its cache lines, one at a triangle4 two: with as many rays in flight as there are, this decides whether
 * contexts, tops of stacks and some nodes fit in the first cache together.
 *
 * Box test: Kay and Kajiya's slabs. A box is entered if near <= far · BOX_SLACK, slightly more than 1: this covers the
 * rounding here and that of the triangle test, whose rounded coordinates are off by a few 2^-24 of the distance from the
 * origin (Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013). Which triangle is hit does not depend on the tree: see `own-box.ts`.
 *
 * Triangle test: see `triangle4-step.ts`.
 */
import { Ray } from '../records'

export const CONTEXT_BYTES: u32 = 192
export const ORIGIN: u32 = 0
export const INVERSE: u32 = 16
export const ENTRY: u32 = 32
export const BLOCKER: u32 = 48
export const BOTTOM: u32 = 64
export const SIDE: u32 = 68
export const INSTANCE: u32 = 72
export const HIT_INSTANCE: u32 = 76
export const BEST: u32 = 80
export const NEAR: u32 = 96
export const CURRENT: u32 = 112
export const TOP: u32 = 116
export const STEPS: u32 = 120
export const HIT: u32 = 124
export const KX: u32 = 128
export const KY: u32 = 132
export const KZ: u32 = 136
export const CHILDREN: u32 = 108
export const ORIGIN_KX: u32 = 144
export const ORIGIN_KY: u32 = 148
export const ORIGIN_KZ: u32 = 152
export const T_MIN: u32 = 156
export const SHEAR_X: u32 = 160
export const SHEAR_Y: u32 = 164
export const SCALE_Z: u32 = 168
export const RECORD: u32 = 172

/** Replaces direction components nearer to zero in box tests: 0 · Infinity would be NaN. */
const MIN_COMPONENT: f32 = 1e-30
export const BOX_SLACK: f32 = 1.0 + 1.0 / 524288.0

/** For each axis along which a direction can be longest: the shuffle that puts it last, and KX, KY and KZ. */
export const AXES_TABLE_BYTES: u32 = 3 * 32

export function fillAxesTable(table: u32): void {
  for (let kz: u32 = 0; kz < 3; kz++) {
    for (let place: u32 = 0; place < 3; place++) {
      const axis = (kz + 1 + place) % 3
      store<u32>(table + kz * 32 + place * 4, 0x03020100 + axis * 0x04040404)
      store<u32>(table + kz * 32 + place * 4, axis * 16, 16)
    }
    store<u32>(table + kz * 32, 0x0f0e0d0c, 12)
    store<u32>(table + kz * 32, 0, 28)
  }
}

/** Sets up `context` for the ray of a record, to begin at child word `start`; its stack must have the sentinel. */
@inline
export function enter(context: u32, record: u32, start: u32, axesTable: u32): void {
  // Zero counts as positive, whatever its sign: adding 0 makes it so.
  const direction = f32x4.add(Ray.direction(record), f32x4.splat(0))
  v128.store(context, Ray.origin(record), ORIGIN)
  v128.store(context, inverseOf(direction), INVERSE)
  v128.store(context, v128.or(v128.and(i32x4.shr_s(direction, 31), i32x4(64, 64, 64, 0)), i32x4(0, 16, 32, 0)), NEAR)
  enterTriangle4s(context, record, axesTable)
  store<u32>(context, start, CURRENT)
  store<u32>(context, load<u32>(context, BOTTOM) + 16, TOP)
}

/** Sets up the part of a context that triangle4 tests need: BEST to RECORD. */
@inline
export function enterTriangle4s(context: u32, record: u32, axesTable: u32): void {
  // Lane 3 of the record's halves is tMin and tMax; negative values of the latter and NaN count as 0.
  const origin = Ray.origin(record)
  const direction = Ray.direction(record)
  const tMax = f32x4.extract_lane(f32x4.pmax(f32x4.splat(0), direction), 3)
  v128.store(context, f32x4.splat(select<f32>(tMax, -1, isFinite(origin, direction))), BEST)
  v128.store(context, i32x4.splat(0), CURRENT)

  const axes = axesOf(direction, axesTable)
  const shuffle = v128.load(axes)
  v128.store(context, v128.load(axes, 16), KX)
  const tMin = f32x4.extract_lane(f32x4.pmax(f32x4.splat(0), f32x4.abs(origin)), 3)
  v128.store(context, f32x4.replace_lane(i8x16.swizzle(origin, shuffle), 3, tMin), ORIGIN_KX)
  const turned = i8x16.swizzle(direction, shuffle)
  const scaleZ: f32 = <f32>1 / f32x4.extract_lane(turned, 2)
  const shear = f32x4.replace_lane(f32x4.mul(turned, f32x4.splat(scaleZ)), 2, scaleZ)
  v128.store(context, i32x4.replace_lane(shear, 3, record), SHEAR_X)
}

/** Where the table has the axes in cyclic order, that along which a direction is longest last (the first of ties). */
@inline
export function axesOf(direction: v128, axesTable: u32): u32 {
  const size = f32x4.abs(direction)
  const x = f32x4.extract_lane(size, 0)
  const y = f32x4.extract_lane(size, 1)
  const z = f32x4.extract_lane(size, 2)
  return axesTable + select<u32>(select<u32>(0, 64, x >= z), select<u32>(32, 64, y >= z), x >= y)
}

/** Whether lanes 0 to 2 of both are finite: other rays hit nothing, because nothing is nearer than -1. */
@inline
function isFinite(origin: v128, direction: v128): bool {
  const nothing = f32x4.add(f32x4.sub(origin, origin), f32x4.sub(direction, direction))
  return (i32x4.bitmask(f32x4.eq(nothing, f32x4.splat(0))) & 7) == 7
}

/** 1 / direction, never infinite. */
@inline
export function inverseOf(direction: v128): v128 {
  return v128.or(inverseSize(direction), v128.and(direction, i32x4.splat(0x80000000)))
}

/** The same without its sign. */
@inline
export function inverseSize(direction: v128): v128 {
  return f32x4.div(f32x4.splat(1), f32x4.pmax(f32x4.splat(MIN_COMPONENT), f32x4.abs(direction)))
}

/** Stores the first three lanes of a vector, each four times. */
@inline
export function spread(to: u32, vector: v128): void {
  v128.store(to, i32x4.shuffle(vector, vector, 0, 0, 0, 0))
  v128.store(to, i32x4.shuffle(vector, vector, 1, 1, 1, 1), 16)
  v128.store(to, i32x4.shuffle(vector, vector, 2, 2, 2, 2), 32)
}
