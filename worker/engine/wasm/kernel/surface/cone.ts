/**
 * How much of a surface a ray stands for: a cone around it, as wide as a pixel at first (Akenine-Möller et al., "Improved Shader and
 * Texture Level of Detail Using Ray Cones", JCGT 10(1), 2021).
 */
import { Hit, Path, Ray, Surface, Vertex } from '../records'
import { coneSpread, coneWidth } from './workspace'

/** Of a surface seen at a flatter angle it counts as if it were seen at this one: textures stay sharp across. */
const LEAST_COSINE: f32 = 1.0 / 16.0

/** Width at the origin, and its growth per distance, in 32 bits: the upper half of either float. */
@inline
export function packedCone(width: f32, spread: f32): u32 {
  return (reinterpret<u32>(width) & 0xffff0000) | (reinterpret<u32>(spread) >> 16)
}

@inline
export function widthOf(cone: u32): f32 {
  return reinterpret<f32>(cone & 0xffff0000)
}

@inline
export function spreadOf(cone: u32): f32 {
  return reinterpret<f32>(cone << 16)
}

/**
 * The area that is seen of a surface, over twice the area of its triangle.
 * @param carried whether the state of the ray's path has its packed cone; otherwise the cone begins at the ray's origin
 */
export function seenOf(surface: u32, hit: u32, carried: bool): f32 {
  const ray = Hit.ray(hit)
  const rx = Ray.directionX(ray)
  const ry = Ray.directionY(ray)
  const rz = Ray.directionZ(ray)
  const distance = Ray.tMax(ray) * sqrt<f32>(rx * rx + ry * ry + rz * rz)
  let width = coneWidth
  let spread = coneSpread
  if (carried) {
    const packed = Path.cone(Hit.weight(hit))
    width = widthOf(packed)
    spread = spreadOf(packed)
  }
  const across = width + spread * distance
  const cosine = max<f32>(
    LEAST_COSINE,
    -(
      Surface.dx(surface) * Surface.gx(surface) +
      Surface.dy(surface) * Surface.gy(surface) +
      Surface.dz(surface) * Surface.gz(surface)
    ),
  )
  return (across * across) / (cosine * twiceArea(hit))
}

function twiceArea(hit: u32): f32 {
  const a = Hit.vertexA(hit)
  const b = Hit.vertexB(hit)
  const c = Hit.vertexC(hit)
  const ux = Vertex.positionX(b) - Vertex.positionX(a)
  const uy = Vertex.positionY(b) - Vertex.positionY(a)
  const uz = Vertex.positionZ(b) - Vertex.positionZ(a)
  const vx = Vertex.positionX(c) - Vertex.positionX(a)
  const vy = Vertex.positionY(c) - Vertex.positionY(a)
  const vz = Vertex.positionZ(c) - Vertex.positionZ(a)
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  return sqrt<f32>(x * x + y * y + z * z)
}
