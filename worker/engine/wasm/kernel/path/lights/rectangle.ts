/** Rectangles that shine towards one side: close ones are sampled by solid angle, far ones by area. */
import { Light } from '../../records'
import { answer, answerNothing, point, setReach } from '../result'
import { shortOf, sizeOf } from './reach'
import { along, aside, pointSeen, seeRectangle } from './seen-rectangle'

@inline
function answerLight(light: u32, density: f64): void {
  answer(Light.colorRed(light), Light.colorGreen(light), Light.colorBlue(light), density)
}

/** Answers a direction from (px, py, pz) to a point of the rectangle. */
export function sampleRectangle(light: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const seen = seeRectangle(light, px, py, pz)
  let a = 2 * u - 1
  let b = 2 * v - 1
  if (seen > 0) {
    pointSeen(u, v)
    a = along
    b = aside
  }
  let dx = Light.positionX(light) + a * Light.axisX(light) + b * Light.upX(light) - px
  let dy =
    Light.positionY(light) + a * Light.axisY(light) + b * Light.upY(light) - py
  let dz =
    Light.positionZ(light) +
    a * Light.axisZ(light) +
    b * Light.upZ(light) -
    pz
  const distance2 = dx * dx + dy * dy + dz * dz
  const distance = sqrt<f64>(distance2)
  dx /= distance
  dy /= distance
  dz /= distance
  const cosine = -(
    dx * Light.normalX(light) +
    dy * Light.normalY(light) +
    dz * Light.normalZ(light)
  )
  if (!(cosine > 0)) {
    answerNothing()
    return
  }
  point(dx, dy, dz)
  setReach(shortOf(distance, cosine, sizeOf(px, py, pz) + distance))
  answerLight(light, seen > 0 ? 1 / seen : distance2 / (cosine * Light.area(light)))
}

/** Answers the radiance along a ray with a unit direction, if it meets the bright side, the density of the direction, and the reach. */
export function meetRectangle(light: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const nx = Light.normalX(light)
  const ny = Light.normalY(light)
  const nz = Light.normalZ(light)
  const cosine = -(dx * nx + dy * ny + dz * nz)
  const cx = Light.positionX(light) - px
  const cy = Light.positionY(light) - py
  const cz = Light.positionZ(light) - pz
  const distance = -(cx * nx + cy * ny + cz * nz) / cosine
  if (!(cosine > 0) || !(distance > 0)) {
    answerNothing()
    return
  }
  // From the centre to where the ray meets the plane, along both axes.
  const hx = distance * dx - cx
  const hy = distance * dy - cy
  const hz = distance * dz - cz
  if (
    !within(Light.axisX(light), Light.axisY(light), Light.axisZ(light), hx, hy, hz) ||
    !within(Light.upX(light), Light.upY(light), Light.upZ(light), hx, hy, hz)
  ) {
    answerNothing()
    return
  }
  // As far as shadow rays go to it: a surface in its plane is behind it for both.
  setReach(shortOf(distance, cosine, sizeOf(px, py, pz) + distance))
  const seen = seeRectangle(light, px, py, pz)
  answerLight(light, seen > 0 ? 1 / seen : (distance * distance) / (cosine * Light.area(light)))
}

/** Whether a vector (hx, hy, hz) reaches no further along an axis than the axis itself. */
@inline
function within(ax: f64, ay: f64, az: f64, hx: f64, hy: f64, hz: f64): bool {
  return abs<f64>(hx * ax + hy * ay + hz * az) <= ax * ax + ay * ay + az * az
}
