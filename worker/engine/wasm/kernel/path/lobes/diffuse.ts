/** A Lambert reflector. */
import { Material } from '../../records'
import { cosTurns, sinTurns } from '../../surface/math/trig'
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

export function sampleDiffuse(material: u32, u: f64, v: f64): void {
  pointCosine(u, v)
  evaluateDiffuse(material, cosine)
}

/** z of the newest direction of `pointCosine`. */
export let cosine: f64 = 0

/** Answers a direction whose density is cosine / π. */
export function pointCosine(u: f64, v: f64): void {
  const radius = sqrt<f64>(v)
  const turns = f64x2.splat(u)
  cosine = sqrt<f64>(1 - v)
  point(radius * f64x2.extract_lane(cosTurns(turns), 0), radius * f64x2.extract_lane(sinTurns(turns), 0), cosine)
}
