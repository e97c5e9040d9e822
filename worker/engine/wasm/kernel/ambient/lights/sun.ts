/** The sun, the only distant light. */
import { mul, splat } from '../../surface/math/floats'
import { Scene, Surface } from '../../records'
import { pixelOfTag } from '../paths'
import { appendSun } from '../shadows'

const INVERSE_PI: f32 = 1.0 / 3.141592653589793

/** Queues a ray for the sunlight that a surface reflects; the weight already includes its colour. */
export function addSun(surface: u32, weight: v128, tag: u32): void {
  const direction = Scene.sunDirection()
  const sx = f32x4.extract_lane(direction, 0)
  const sy = f32x4.extract_lane(direction, 1)
  const sz = f32x4.extract_lane(direction, 2)
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const cosine = nx * sx + ny * sy + nz * sz
  if (!(cosine > 0)) return
  const irradiance = Scene.sunIrradiance()
  if (!v128.any_true(f32x4.gt(irradiance, splat(0)))) return
  appendSun(surface, direction, mul(weight, mul(irradiance, splat(cosine * INVERSE_PI))), pixelOfTag(tag))
}
