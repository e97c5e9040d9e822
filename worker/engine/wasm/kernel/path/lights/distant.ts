/** A distant light: a disc of directions, or one direction. */
import { Light } from '../../records'
import { answer, answerNothing, point, setReach } from '../result'

/**
 * Answers a direction towards the light; without a disc the answered light is the irradiance, and the density 0.
 * @param cos of a random angle around the disc's centre
 */
export function sampleDistant(light: u32, cos: f64, sin: f64, v: f64): void {
  const dx = Light.positionX(light)
  const dy = Light.positionY(light)
  const dz = Light.positionZ(light)
  const density = Light.area(light)
  setReach(Infinity)
  if (density > 0) {
    const height = 1 - v * (1 - Light.size(light))
    const radius = sqrt<f64>(max<f64>(0, 1 - height * height))
    const across = radius * cos
    const along = radius * sin
    point(
      Light.axisX(light) * across + Light.upX(light) * along + dx * height,
      Light.axisY(light) * across + Light.upY(light) * along + dy * height,
      Light.axisZ(light) * across + Light.upZ(light) * along + dz * height,
    )
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
