/** Point and spot lights: spheres, or points, that shine equally in all directions or into a cone. */
import { Light, LightKind } from '../../records'
import { onCircle } from '../../surface/math/trig'
import { pointAround } from '../frame'
import { answer, answerNothing, point, setReach, x, y, z } from '../result'
import { shortOf, sizeOf } from './reach'

const PI: f64 = 3.141592653589793

/** Share of a spot's light in a unit direction from the light: between two cosines three's smoothstep, or glTF's square. */
function cone(light: u32, dx: f64, dy: f64, dz: f64): f64 {
  if (Light.kind(light) != LightKind.SPOT) return 1
  const cosine =
    dx * Light.axisX(light) + dy * Light.axisY(light) + dz * Light.axisZ(light)
  const inner = Light.inner(light)
  const outer = Light.outer(light)
  if (inner <= outer) return cosine > outer ? 1 : 0
  const t = min<f64>(1, max<f64>(0, (cosine - outer) / (inner - outer)))
  return Light.squared(light) != 0 ? t * t : t * t * (3 - 2 * t)
}

@inline
function answerLight(light: u32, scale: f64, density: f64): void {
  answer(
    Light.colorRed(light) * scale,
    Light.colorGreen(light) * scale,
    Light.colorBlue(light) * scale,
    density,
  )
}

/** 1 − the cosine of the half angle under which a sphere of radius r is seen from a distance, both squared. */
@inline
function cap(radius2: f64, distance2: f64): f64 {
  const square = radius2 / distance2
  return square / (1 + sqrt<f64>(max<f64>(0, 1 - square)))
}

/** Answers a direction from (px, py, pz) towards the light; from a point the answered light is the irradiance, the density 0. */
export function sampleSphere(light: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const cx = Light.positionX(light) - px
  const cy = Light.positionY(light) - py
  const cz = Light.positionZ(light) - pz
  const radius = Light.size(light)
  const distance2 = cx * cx + cy * cy + cz * cz
  // Nothing is lit from inside a lamp.
  if (distance2 <= radius * radius) {
    answerNothing()
    return
  }
  const distance = sqrt<f64>(distance2)
  const scale = 1 / distance
  if (radius == 0) {
    point(cx * scale, cy * scale, cz * scale)
    setReach(shortOf(distance, 1, sizeOf(px, py, pz) + distance))
    answerLight(light, cone(light, -cx * scale, -cy * scale, -cz * scale) / distance2, 0)
    return
  }
  const open = cap(radius * radius, distance2)
  const rest = v * open
  const height = 1 - rest
  const side = sqrt<f64>(max<f64>(0, rest * (2 - rest)))
  const circle = onCircle(u)
  const across = side * f64x2.extract_lane(circle, 0)
  const along = side * f64x2.extract_lane(circle, 1)
  pointAround(cx * scale, cy * scale, cz * scale, across, along, height)
  const middle = distance * height
  const nearest = middle - sqrt<f64>(max<f64>(0, radius * radius - distance2 * side * side))
  setReach(shortOf(nearest, 1, sizeOf(px, py, pz) + distance))
  answerLight(light, cone(light, -x, -y, -z) / (PI * radius * radius), 1 / (2 * PI * open))
}

/** Answers the sphere's radiance along a ray with a unit direction, if it meets it, the density of the direction, and the reach. */
export function meetSphere(light: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const cx = Light.positionX(light) - px
  const cy = Light.positionY(light) - py
  const cz = Light.positionZ(light) - pz
  const radius = Light.size(light)
  const distance2 = cx * cx + cy * cy + cz * cz
  const along = cx * dx + cy * dy + cz * dz
  // How far the ray passes from the centre, without cancellation.
  const ax = cx - along * dx
  const ay = cy - along * dy
  const az = cz - along * dz
  const inside = radius * radius - (ax * ax + ay * ay + az * az)
  if (radius == 0 || distance2 <= radius * radius || along <= 0 || inside < 0) {
    answerNothing()
    return
  }
  setReach(along - sqrt<f64>(inside))
  answerLight(light, cone(light, -dx, -dy, -dz) / (PI * radius * radius), 1 / (2 * PI * cap(radius * radius, distance2)))
}
