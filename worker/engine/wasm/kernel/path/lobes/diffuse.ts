/** A Lambert reflector. */
import { Material } from '../../records'
import { answer, answerNothing, point } from '../result'

const INVERSE_PI: f64 = 1.0 / 3.141592653589793

export function evaluateDiffuse(material: u32, iz: f64): void {
  if (iz <= 0) {
    answerNothing()
    return
  }
  const lit = iz * INVERSE_PI
  answer(
    <f64>Material.colorRed(material) * lit,
    <f64>Material.colorGreen(material) * lit,
    <f64>Material.colorBlue(material) * lit,
    lit,
  )
}

export function sampleDiffuse(material: u32, cos: f64, sin: f64, v: f64): void {
  pointCosine(cos, sin, v)
  evaluateDiffuse(material, cosine)
}

/** z of the newest direction of `pointCosine`. */
export let cosine: f64 = 0

/** Answers a direction whose density is cosine / π. */
export function pointCosine(cos: f64, sin: f64, v: f64): void {
  const radius = sqrt<f64>(v)
  cosine = sqrt<f64>(1 - v)
  point(radius * cos, radius * sin, cosine)
}
