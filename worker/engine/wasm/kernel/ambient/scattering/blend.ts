/** Surfaces of which only a share is there: what it lets through is seen behind it. */
import { Material, Surface } from '../../records'
import { mul, splat } from '../../surface/math/floats'
import { childTag } from '../paths'
import { sendOn } from './send-on'

/** Sends a ray straight on with its share of the light, and returns the weight of the rest, which the surface scatters. */
export function blend(surface: u32, weight: v128, tag: u32, sequence: u32): v128 {
  const opacity = Material.opacity(Surface.material(surface))
  if (opacity >= 1) return weight
  const offset = Surface.offset(surface)
  sendOn(
    Surface.x(surface) - Surface.gx(surface) * offset,
    Surface.y(surface) - Surface.gy(surface) * offset,
    Surface.z(surface) - Surface.gz(surface) * offset,
    Surface.dx(surface),
    Surface.dy(surface),
    Surface.dz(surface),
    mul(weight, splat(<f32>1 - opacity)),
    childTag(tag, 1),
    sequence,
  )
  return mul(weight, splat(opacity))
}
