/**
 * A triangle as a point sees it: its solid angle (van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", IEEE Transactions on Biomedical
 * Engineering 30(2), 1983), and directions that are uniform over that (Arvo, "Stratified Sampling of Spherical Triangles", SIGGRAPH 1995; names are
 * his). Corners are relative to the point.
 */
import { turnsOf } from '../../surface/math/arctangent'
import { onCircle } from '../../surface/math/trig'

const TAU: f64 = 6.283185307179586
/**
 * Squared distance to the middle, in squares of the farthest corner's from there, beyond which the area is chosen from: it costs less, and beyond
 * this the noise is the same within 1 % (Cornell box).
 */
const FAR: f64 = 1
/** Solid angle below which differences of unit vectors have too few digits left, turns of two spheres: far, or nearly in the plane of the triangle. */
const LEAST: f64 = 1e-5

/** Of the triangle seen last: unit vectors towards its corners, half its solid angle in turns, the angle at a, and the cosine between a and b. */
let ax: f64 = 0
let ay: f64 = 0
let az: f64 = 0
let bx: f64 = 0
let by: f64 = 0
let bz: f64 = 0
let cx: f64 = 0
let cy: f64 = 0
let cz: f64 = 0
let half: f64 = 0
let cosAlpha: f64 = 0
let sinAlpha: f64 = 0
let cosC: f64 = 0

/** A direction towards it. */
export let seenX: f64 = 0
export let seenY: f64 = 0
export let seenZ: f64 = 0

/** Sees a triangle; returns its solid angle, or 0 if a choice over its area is as good. */
export function seeTriangle(pax: f64, pay: f64, paz: f64, pbx: f64, pby: f64, pbz: f64, pcx: f64, pcy: f64, pcz: f64): f64 {
  const mx = (pax + pbx + pcx) / 3
  const my = (pay + pby + pcy) / 3
  const mz = (paz + pbz + pcz) / 3
  const around = max<f64>(
    square(pax - mx, pay - my, paz - mz),
    max<f64>(square(pbx - mx, pby - my, pbz - mz), square(pcx - mx, pcy - my, pcz - mz)),
  )
  if (!(square(mx, my, mz) <= FAR * around)) return 0
  const la = 1 / sqrt<f64>(square(pax, pay, paz))
  const lb = 1 / sqrt<f64>(square(pbx, pby, pbz))
  const lc = 1 / sqrt<f64>(square(pcx, pcy, pcz))
  ax = pax * la
  ay = pay * la
  az = paz * la
  bx = pbx * lb
  by = pby * lb
  bz = pbz * lb
  cx = pcx * lc
  cy = pcy * lc
  cz = pcz * lc
  const volume = abs<f64>(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx))
  cosC = ax * bx + ay * by + az * bz
  const cosB = ax * cx + ay * cy + az * cz
  const cosA = bx * cx + by * cy + bz * cz
  half = turnsOf(volume, 1 + cosA + cosB + cosC)
  // Not a number where the point is a corner.
  if (!(half >= LEAST)) return 0
  // Both times the sines of the sides b and c.
  const along = cosA - cosB * cosC
  const length = sqrt<f64>(volume * volume + along * along)
  cosAlpha = along / length
  sinAlpha = volume / length
  return 2 * TAU * half
}

/** Sets a direction towards the triangle seen last, which is close. */
export function pointOnSeen(u: f64, v: f64): void {
  const circle = onCircle(2 * half * u)
  const cos = f64x2.extract_lane(circle, 0)
  const sin = f64x2.extract_lane(circle, 1)
  const s = sin * cosAlpha - cos * sinAlpha
  const t = cos * cosAlpha + sin * sinAlpha
  const uu = t - cosAlpha
  const vv = s + sinAlpha * cosC
  const q = within(((vv * t - uu * s) * cosAlpha - vv) / ((vv * s + uu * t) * sinAlpha))
  // The corner c moves along the side b: what lies between a, b and it is the share u of the triangle.
  turn(ax, ay, az, cx, cy, cz, q)
  const z = 1 - v * (1 - (seenX * bx + seenY * by + seenZ * bz))
  turn(bx, by, bz, seenX, seenY, seenZ, within(z))
}

/** Sets the unit vector at an angle, whose cosine is given, from one towards another. */
@inline
function turn(fx: f64, fy: f64, fz: f64, tx: f64, ty: f64, tz: f64, cosine: f64): void {
  const both = fx * tx + fy * ty + fz * tz
  const ox = tx - both * fx
  const oy = ty - both * fy
  const oz = tz - both * fz
  const length = sqrt<f64>(square(ox, oy, oz))
  const sine = length > 0 ? sqrt<f64>(max<f64>(0, 1 - cosine * cosine)) / length : 0
  seenX = cosine * fx + sine * ox
  seenY = cosine * fy + sine * oy
  seenZ = cosine * fz + sine * oz
}

@inline
function square(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z
}

/** A cosine: rounding may lead out of the range, or to no number at all. */
@inline
function within(cosine: f64): f64 {
  return cosine < 1 ? max<f64>(-1, cosine) : 1
}
