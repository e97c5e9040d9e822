/**
 * A rectangle as a point sees it: its solid angle, and points that are uniform over that (Ureña, Fajardo and King, "An Area-Preserving Parametrization
 * for Spherical Rectangles", Computer Graphics Forum 32(4), EGSR 2013). Names are theirs; the inner angles come from arc tangents, which lose nothing
 * where a cosine is near 1.
 */
import { Light } from '../../records'
import { turnsOfTwo } from '../../surface/math/arctangent'
import { onCircle } from '../../surface/math/trig'

const TAU: f64 = 6.283185307179586
/**
 * Squared distance to the centre, in squares of half the diagonal, from which on all points of a rectangle are about as probable as seen from a point:
 * densities over its area then differ by the factor (5/3)² × 5/3 at most, those of a rectangle that is faced by 1.1.
 */
const FAR: f64 = 16
/** Solid angle below which the sum of four angles has too few digits left, turns: nearly in the plane of the rectangle. */
const LEAST: f64 = 1e-5

/** Of the rectangle seen last: solid angle, turns; the angle k; sides along unit axes, relative to the point, and the depth behind its plane, negative. */
let angle: f64 = 0
let k: f64 = 0
let x0: f64 = 0
let x1: f64 = 0
let y0: f64 = 0
let y1: f64 = 0
let z0: f64 = 0

/** A point of it: shares of its half sides from the centre. */
export let along: f64 = 0
export let aside: f64 = 0

/** Sees a rectangle from (px, py, pz); returns its solid angle, or 0 if a choice over its area is as good. */
export function seeRectangle(light: u32, px: f64, py: f64, pz: f64): f64 {
  const cx = Light.positionX(light) - px
  const cy = Light.positionY(light) - py
  const cz = Light.positionZ(light) - pz
  const ax = Light.axisX(light)
  const ay = Light.axisY(light)
  const az = Light.axisZ(light)
  const bx = Light.upX(light)
  const by = Light.upY(light)
  const bz = Light.upZ(light)
  const width2 = ax * ax + ay * ay + az * az
  const height2 = bx * bx + by * by + bz * bz
  if (cx * cx + cy * cy + cz * cz > FAR * (width2 + height2)) return 0
  const width = sqrt<f64>(width2)
  const height = sqrt<f64>(height2)
  const x = (cx * ax + cy * ay + cz * az) / width
  const y = (cx * bx + cy * by + cz * bz) / height
  const z = cx * Light.normalX(light) + cy * Light.normalY(light) + cz * Light.normalZ(light)
  x0 = x - width
  x1 = x + width
  y0 = y - height
  y1 = y + height
  z0 = -abs<f64>(z)
  const zz = z * z
  // Between the planes through neighbouring sides: tan γ = |z0| × distance to their corner / ∓ (x y).
  const r00 = sqrt<f64>(x0 * x0 + y0 * y0 + zz)
  const r10 = sqrt<f64>(x1 * x1 + y0 * y0 + zz)
  const r11 = sqrt<f64>(x1 * x1 + y1 * y1 + zz)
  const r01 = sqrt<f64>(x0 * x0 + y1 * y1 + zz)
  const g01 = turnsOfTwo(two(-z0 * r10, -z0 * r11), two(x1 * y0, -x1 * y1))
  const g23 = turnsOfTwo(two(-z0 * r01, -z0 * r00), two(x0 * y1, -x0 * y0))
  k = 1 - f64x2.extract_lane(g23, 0) - f64x2.extract_lane(g23, 1)
  angle = f64x2.extract_lane(g01, 0) + f64x2.extract_lane(g01, 1) - k
  return angle >= LEAST ? TAU * angle : 0
}

/** Sets a point of the rectangle seen last, which is close. */
export function pointSeen(u: f64, v: f64): void {
  const zz = z0 * z0
  const b0 = -y0 / sqrt<f64>(y0 * y0 + zz)
  const b1 = y1 / sqrt<f64>(y1 * y1 + zz)
  const circle = onCircle(u * angle + k)
  const fu = (f64x2.extract_lane(circle, 0) * b0 - b1) / f64x2.extract_lane(circle, 1)
  const cu = min<f64>(1, 1 / sqrt<f64>(fu * fu + b0 * b0))
  const far = (-cu * z0) / sqrt<f64>(1 - cu * cu)
  const xu = between(x0, x1, fu < 0 ? -far : far)
  const d2 = xu * xu + zz
  const h0 = y0 / sqrt<f64>(d2 + y0 * y0)
  const h1 = y1 / sqrt<f64>(d2 + y1 * y1)
  const hv = h0 + v * (h1 - h0)
  const yv = between(y0, y1, hv * sqrt<f64>(d2 / (1 - hv * hv)))
  along = (2 * (xu - x0)) / (x1 - x0) - 1
  aside = (2 * (yv - y0)) / (y1 - y0) - 1
}

@inline
function two(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b)
}

/** Rounding may lead out of a range, or to no number at all. */
@inline
function between(low: f64, high: f64, value: f64): f64 {
  return value > low ? min<f64>(high, value) : low
}
