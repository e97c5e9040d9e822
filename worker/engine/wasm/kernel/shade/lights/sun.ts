/** The sun, the only distant light. */
import { SCENE, SCENE_SUN } from '../../layout'
import { pixelOfTag } from '../paths'
import { appendSun } from '../shadows'
import { SURFACE_NX, SURFACE_NY, SURFACE_NZ } from '../records'

const DIRECTION: u32 = SCENE + SCENE_SUN
const IRRADIANCE: u32 = DIRECTION + 24
const INVERSE_PI: f64 = 1.0 / 3.141592653589793

/** Queues a ray for the sunlight that a surface reflects; the weights already include its colour. */
export function addSun(surface: u32, red: f64, green: f64, blue: f64, tag: u32): void {
  const sx = load<f64>(DIRECTION)
  const sy = load<f64>(DIRECTION, 8)
  const sz = load<f64>(DIRECTION, 16)
  const nx = load<f64>(surface, SURFACE_NX)
  const ny = load<f64>(surface, SURFACE_NY)
  const nz = load<f64>(surface, SURFACE_NZ)
  const cosine = nx * sx + ny * sy + nz * sz
  if (!(cosine > 0)) return
  const redLight = load<f64>(IRRADIANCE)
  const greenLight = load<f64>(IRRADIANCE, 8)
  const blueLight = load<f64>(IRRADIANCE, 16)
  if (!(redLight + greenLight + blueLight > 0)) return
  const lit = cosine * INVERSE_PI
  appendSun(
    surface,
    <f32>sx,
    <f32>sy,
    <f32>sz,
    red * redLight * lit,
    green * greenLight * lit,
    blue * blueLight * lit,
    pixelOfTag(tag),
  )
}
