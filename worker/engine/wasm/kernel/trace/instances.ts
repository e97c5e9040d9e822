/**
 * Rays that enter and leave instances. Inside, boxes are those of a mesh's tree, in its coordinates: the ray's origin and direction are
 * transformed, in doubles rounded to floats, and distances along it stay what they are. The triangle test stays in the scene's
 * coordinates (`placed-triangle4.ts`), so nothing else about the ray changes.
 *
 * A box must not lose a triangle to rounding. What rounds is: the corners as they were baked; the triangle test, whose coordinates are off by a
 * few 2^-24 of those of the origin and the corners, along the scene's axes; the ray's own transform. The host bounds all of it by
 * 2^-20 of the coordinates that can occur, in the mesh's coordinates (Instance.marginX and the others): every box is that much larger. Since nodes are shared,
 * the ray has two origins instead, one for planes where it enters and one for planes where it leaves.
 *
 * Beside each context:
 *
 *     +0   f32 origin and 1 / direction in the scene, as in the context
 *     +32  u32 near[3] | 0 in the scene
 *     +48  f32 origin for planes where the ray leaves: x y z
 */
import { Child, Instance, Ray } from '../records'
import { POPPING } from './lists'
import { BOTTOM, CURRENT, HIT_INSTANCE, INSTANCE, inverseOf, INVERSE, NEAR, ORIGIN, RECORD, SIDE, STEPS, TOP } from './ray-context'

export const SIDE_BYTES: u32 = 64
const SIDE_NEAR: u32 = 32
export const FAR_ORIGIN: u32 = 48

/** Key of a child that is never skipped. */
const NEAREST: i32 = i32.MIN_VALUE

/** Sets up what instances need of a context that has entered the scene. */
@inline
export function enterScene(ray: u32): void {
  store<u32>(ray, 0, INSTANCE)
  store<u32>(ray, 0, HIT_INSTANCE)
  const side = load<u32>(ray, SIDE)
  v128.store(side, v128.load(ray, ORIGIN))
  v128.store(side, v128.load(ray, INVERSE), 16)
  v128.store(side, v128.load(ray, NEAR), SIDE_NEAR)
  v128.store(side, v128.load(ray, ORIGIN), FAR_ORIGIN)
}

/**
 * Lets the listed rays, whose current child is an instance or the way out of one, enter or leave it. Those that enter are appended at
 * `nodes`, whose new end is returned; those that leave go on to pop.
 */
export function stepInstances(list: u32, end: u32, ends: u32, nodes: u32, toKeys: u32): u32 {
  let popping = load<u32>(ends, POPPING)
  for (; list < end; list += 4) {
    const ray = load<u32>(list)
    const child = load<u32>(ray, CURRENT)
    if (child == Child.EXIT) {
      leave(ray)
      store<u32>(popping, ray)
      popping += 4
    } else {
      enterInstance(ray, child - 2, toKeys)
      store<u32>(nodes, ray)
      nodes += 4
    }
  }
  store<u32>(ends, popping, POPPING)
  return nodes
}

@inline
function leave(ray: u32): void {
  const side = load<u32>(ray, SIDE)
  v128.store(ray, v128.load(side), ORIGIN)
  v128.store(ray, v128.load(side, 16), INVERSE)
  v128.store(ray, v128.load(side, SIDE_NEAR), NEAR)
  v128.store(side, v128.load(ray, ORIGIN), FAR_ORIGIN)
  store<u32>(ray, 0, INSTANCE)
}

@inline
function enterInstance(ray: u32, instance: u32, toKeys: u32): void {
  const record = load<u32>(ray, RECORD)
  const direction = intoMesh(
    instance,
    Ray.directionX(record),
    Ray.directionY(record),
    Ray.directionZ(record),
  )
  const x = Ray.originX(record)
  const y = Ray.originY(record)
  const z = Ray.originZ(record)
  const origin = intoMesh(
    instance,
    <f64>x - Instance.placeXShift(instance),
    <f64>y - Instance.placeYShift(instance),
    <f64>z - Instance.placeZShift(instance),
  )
  let margin = Instance.marginOwn(instance)
  margin = f32x4.add(margin, f32x4.mul(f32x4.splat(abs<f32>(x)), Instance.marginX(instance)))
  margin = f32x4.add(margin, f32x4.mul(f32x4.splat(abs<f32>(y)), Instance.marginY(instance)))
  margin = f32x4.add(margin, f32x4.mul(f32x4.splat(abs<f32>(z)), Instance.marginZ(instance)))
  // With the sign of the direction.
  margin = v128.xor(margin, v128.and(direction, i32x4.splat(0x80000000)))
  v128.store(ray, f32x4.add(origin, margin), ORIGIN)
  v128.store(load<u32>(ray, SIDE), f32x4.sub(origin, margin), FAR_ORIGIN)
  v128.store(ray, inverseOf(direction), INVERSE)
  v128.store(ray, v128.or(v128.and(i32x4.shr_s(direction, 31), i32x4(64, 64, 64, 0)), i32x4(0, 16, 32, 0)), NEAR)
  const top = load<u32>(ray, TOP)
  store<u32>(top, Child.EXIT)
  store<i32>(top + toKeys, NEAREST)
  store<u32>(ray, top + 4, TOP)
  store<u32>(ray, instance, INSTANCE)
  store<u32>(ray, Instance.root(instance), CURRENT)
  store<u32>(ray, load<u32>(ray, STEPS) + 1, STEPS)
}

/** A vector of the scene in the coordinates of an instance's mesh: by the inverse, which is the matrix of normals transposed. */
@inline
function intoMesh(instance: u32, x: f64, y: f64, z: f64): v128 {
  const inX = f64x2.splat(x)
  const inY = f64x2.splat(y)
  const inZ = f64x2.splat(z)
  const xy = f64x2.add(
    f64x2.add(
      f64x2.mul(Instance.normalXLow(instance), inX),
      f64x2.mul(Instance.normalYLow(instance), inY),
    ),
    f64x2.mul(Instance.normalZLow(instance), inZ),
  )
  const third =
    Instance.normalXZ(instance) * x +
    Instance.normalYZ(instance) * y +
    Instance.normalZZ(instance) * z
  return f32x4.replace_lane(
    i32x4.shuffle(f32x4.demote_f64x2_zero(xy), i32x4.splat(0), 0, 1, 4, 4),
    2,
    <f32>third,
  )
}
