/** Rectangles that shine towards one side. */
import { LIGHT_AREA, LIGHT_AXIS, LIGHT_COLOR, LIGHT_NORMAL, LIGHT_POSITION, LIGHT_UP } from '../../layout'
import { answer, answerNothing, point, setReach } from '../result'

@inline
function answerLight(light: u32, density: f64): void {
  answer(load<f64>(light, LIGHT_COLOR), load<f64>(light, LIGHT_COLOR + 8), load<f64>(light, LIGHT_COLOR + 16), density)
}

/** Answers a direction from (px, py, pz) to a point of the rectangle. */
export function sampleRectangle(light: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const a = 2 * u - 1
  const b = 2 * v - 1
  let dx = load<f64>(light, LIGHT_POSITION) + a * load<f64>(light, LIGHT_AXIS) + b * load<f64>(light, LIGHT_UP) - px
  let dy =
    load<f64>(light, LIGHT_POSITION + 8) + a * load<f64>(light, LIGHT_AXIS + 8) + b * load<f64>(light, LIGHT_UP + 8) - py
  let dz =
    load<f64>(light, LIGHT_POSITION + 16) +
    a * load<f64>(light, LIGHT_AXIS + 16) +
    b * load<f64>(light, LIGHT_UP + 16) -
    pz
  const distance2 = dx * dx + dy * dy + dz * dz
  const distance = sqrt<f64>(distance2)
  dx /= distance
  dy /= distance
  dz /= distance
  const cosine = -(
    dx * load<f64>(light, LIGHT_NORMAL) +
    dy * load<f64>(light, LIGHT_NORMAL + 8) +
    dz * load<f64>(light, LIGHT_NORMAL + 16)
  )
  if (!(cosine > 0)) {
    answerNothing()
    return
  }
  point(dx, dy, dz)
  setReach(distance)
  answerLight(light, distance2 / (cosine * load<f64>(light, LIGHT_AREA)))
}

/** Answers the radiance along a ray with a unit direction, if it meets the bright side, the density of the direction, and the reach. */
export function meetRectangle(light: u32, px: f64, py: f64, pz: f64, dx: f64, dy: f64, dz: f64): void {
  const nx = load<f64>(light, LIGHT_NORMAL)
  const ny = load<f64>(light, LIGHT_NORMAL + 8)
  const nz = load<f64>(light, LIGHT_NORMAL + 16)
  const cosine = -(dx * nx + dy * ny + dz * nz)
  const cx = load<f64>(light, LIGHT_POSITION) - px
  const cy = load<f64>(light, LIGHT_POSITION + 8) - py
  const cz = load<f64>(light, LIGHT_POSITION + 16) - pz
  const distance = -(cx * nx + cy * ny + cz * nz) / cosine
  if (!(cosine > 0) || !(distance > 0)) {
    answerNothing()
    return
  }
  // From the centre to where the ray meets the plane, along both axes.
  const hx = distance * dx - cx
  const hy = distance * dy - cy
  const hz = distance * dz - cz
  if (!within(light, LIGHT_AXIS, hx, hy, hz) || !within(light, LIGHT_UP, hx, hy, hz)) {
    answerNothing()
    return
  }
  setReach(distance)
  answerLight(light, (distance * distance) / (cosine * load<f64>(light, LIGHT_AREA)))
}

/** Whether a vector reaches no further along an axis than the axis itself. */
@inline
function within(light: u32, axis: u32, hx: f64, hy: f64, hz: f64): bool {
  const ax = load<f64>(light + axis)
  const ay = load<f64>(light + axis, 8)
  const az = load<f64>(light + axis, 16)
  return abs<f64>(hx * ax + hy * ay + hz * az) <= ax * ax + ay * ay + az * az
}
