/** Arithmetic on four floats, under names short enough for formulas; lanes never see each other. */

@inline
export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b)
}

@inline
export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b)
}

@inline
export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b)
}

@inline
export function div(a: v128, b: v128): v128 {
  return f32x4.div(a, b)
}

@inline
export function splat(x: f32): v128 {
  return f32x4.splat(x)
}

/** Three numbers, as a colour or a direction; the last lane is 0. */
@inline
export function three(x: f32, y: f32, z: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(splat(0), 0, x), 1, y), 2, z)
}

/** Sum of three products, from left to right. */
@inline
export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz))
}

/**
 * Turns four vectors a, b, c, d into vectors of their first, second, third and fourth numbers:
 *
 *     const [ab, cd] = [lows(a, b), lows(c, d)]       firsts(ab, cd), seconds(ab, cd)
 *     const [ab, cd] = [highs(a, b), highs(c, d)]     the third and the fourth, in the same way
 */
@inline
export function lows(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5)
}

@inline
export function highs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7)
}

@inline
export function firsts(ab: v128, cd: v128): v128 {
  return v128.shuffle<f32>(ab, cd, 0, 1, 4, 5)
}

@inline
export function seconds(ab: v128, cd: v128): v128 {
  return v128.shuffle<f32>(ab, cd, 2, 3, 6, 7)
}
