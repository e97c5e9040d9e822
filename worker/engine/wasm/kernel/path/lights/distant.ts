/** A distant light: a disc of directions, or one direction. */
import { Light } from '../../records'
import { onCircle } from '../../surface/math/trig'
import { pointAround } from '../frame'
import { answer, answerNothing, point, setReach } from '../result'

/** Answers a direction towards the light; without a disc the answered light is the irradiance, and the density 0. */
export function sampleDistant(light: u32, u: f64, v: f64): void {
  const dx = Light.positionX(light)
  const dy = Light.positionY(light)
  const dz = Light.positionZ(light)
  const density = Light.area(light)
  setReach(Infinity)
  if (density > 0) {
    const height = 1 - v * (1 - Light.size(light))
    const radius = sqrt<f64>(max<f64>(0, 1 - height * height))
    const circle = onCircle(u)
    const across = radius * f64x2.extract_lane(circle, 0)
    const along = radius * f64x2.extract_lane(circle, 1)
    pointAround(dx, dy, dz, across, along, height)
  } else point(dx, dy, dz)
  answerLight(light)
}

/** Answers the light's disc in a unit direction, if it is there. */
export function meetDistant(light: u32, dx: f64, dy: f64, dz: f64): void {
  const cosine =
    dx * Light.positionX(light) +
    dy * Light.positionY(light) +
    dz * Light.positionZ(light)
  setReach(Infinity)
  if (Light.area(light) > 0 && cosine >= Light.size(light)) answerLight(light)
  else answerNothing()
}

@inline
function answerLight(light: u32): void {
  answer(
    Light.colorRed(light),
    Light.colorGreen(light),
    Light.colorBlue(light),
    Light.area(light),
  )
}
