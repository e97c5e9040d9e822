/** The sun, the only distant light. */
import { SCENE, SCENE_SUN } from '../../layout'
import { mul, splat } from '../../surface/math/floats'
import { SURFACE_NX, SURFACE_NY, SURFACE_NZ } from '../../surface/records'
import { pixelOfTag } from '../paths'
import { appendSun } from '../shadows'

const DIRECTION: u32 = SCENE + SCENE_SUN
const IRRADIANCE: u32 = DIRECTION + 16
const INVERSE_PI: f32 = 1.0 / 3.141592653589793

/** Queues a ray for the sunlight that a surface reflects; the weight already includes its colour. */
export function addSun(surface: u32, weight: v128, tag: u32): void {
  const direction = v128.load(DIRECTION)
  const sx = f32x4.extract_lane(direction, 0)
  const sy = f32x4.extract_lane(direction, 1)
  const sz = f32x4.extract_lane(direction, 2)
  const nx = load<f32>(surface, SURFACE_NX)
  const ny = load<f32>(surface, SURFACE_NY)
  const nz = load<f32>(surface, SURFACE_NZ)
  const cosine = nx * sx + ny * sy + nz * sz
  if (!(cosine > 0)) return
  const irradiance = v128.load(IRRADIANCE)
  if (!v128.any_true(f32x4.gt(irradiance, splat(0)))) return
  appendSun(surface, direction, mul(weight, mul(irradiance, splat(cosine * INVERSE_PI))), pixelOfTag(tag))
}
