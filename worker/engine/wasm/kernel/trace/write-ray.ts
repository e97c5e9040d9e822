/** Writes the part of a ray's record that says where it goes; the rest is its owner's. */
import { Ray } from '../records'

@inline
export function writeRay(ray: u32, ox: f32, oy: f32, oz: f32, tMin: f32, dx: f32, dy: f32, dz: f32, tMax: f32): void {
  Ray.setOriginX(ray, ox)
  Ray.setOriginY(ray, oy)
  Ray.setOriginZ(ray, oz)
  Ray.setTMin(ray, tMin)
  Ray.setDirectionX(ray, dx)
  Ray.setDirectionY(ray, dy)
  Ray.setDirectionZ(ray, dz)
  Ray.setTMax(ray, tMax)
}
