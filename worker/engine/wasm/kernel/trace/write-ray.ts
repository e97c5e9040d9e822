/** Writes the part of a ray's record that says where it goes; the rest is its owner's. */
import { RAY_DIRECTION, RAY_ORIGIN, RAY_T_MAX, RAY_T_MIN } from '../layout'

@inline
export function writeRay(ray: u32, ox: f32, oy: f32, oz: f32, tMin: f32, dx: f32, dy: f32, dz: f32, tMax: f32): void {
  store<f32>(ray, ox, RAY_ORIGIN)
  store<f32>(ray, oy, RAY_ORIGIN + 4)
  store<f32>(ray, oz, RAY_ORIGIN + 8)
  store<f32>(ray, tMin, RAY_T_MIN)
  store<f32>(ray, dx, RAY_DIRECTION)
  store<f32>(ray, dy, RAY_DIRECTION + 4)
  store<f32>(ray, dz, RAY_DIRECTION + 8)
  store<f32>(ray, tMax, RAY_T_MAX)
}
