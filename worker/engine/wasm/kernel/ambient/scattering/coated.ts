/** A Lambert reflector under a clear coat: Schlick's share is reflected, the rest of the light is treated as matte. */
import { Material, Surface } from '../../records'
import { normalReflectance, schlick } from '../../surface/fresnel'
import { mul, splat } from '../../surface/math/floats'
import { scatterMatte } from './matte'
import { mirror } from './mirror'

export function scatterCoated(surface: u32, weight: v128, tag: u32, sequence: u32): void {
  const nx = Surface.nx(surface)
  const ny = Surface.ny(surface)
  const nz = Surface.nz(surface)
  const dx = Surface.dx(surface)
  const dy = Surface.dy(surface)
  const dz = Surface.dz(surface)
  const cosine = -(nx * dx + ny * dy + nz * dz)
  const mirrored = <f32>schlick(normalReflectance(Material.ior(Surface.material(surface))), cosine)
  scatterMatte(surface, mul(weight, splat(<f32>1 - mirrored)), tag, sequence)
  mirror(surface, mul(weight, splat(mirrored)), tag, sequence)
}
