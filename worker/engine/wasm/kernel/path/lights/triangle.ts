/** Emissive triangles: they shine towards both sides, as far as they are there. */
import { Hit, Material, Passing, Scene, Surface, Vertex } from '../../records'
import { coverageAt } from '../../surface/pass'
import { passHits, passSurfaces } from '../../surface/workspace'
import { firstParts, partsOf } from '../../triangle-parts'
import { answer, answerNothing, point, setReach } from '../result'
import { shortOf, sizeOf } from './reach'

/** Answers a direction from (px, py, pz) to a point of emissive triangle number `index`; the density is without that of its choice. */
export function sampleTriangle(index: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const id = load<u32>(Scene.litTriangles() + index * 4)
  const parts = partsOf(id, Scene.triangles(), firstParts())
  const a = i32x4.extract_lane(parts, 0)
  const b = i32x4.extract_lane(parts, 1)
  const c = i32x4.extract_lane(parts, 2)
  const ax: f64 = Vertex.positionX(a)
  const ay: f64 = Vertex.positionY(a)
  const az: f64 = Vertex.positionZ(a)
  const ux = <f64>Vertex.positionX(b) - ax
  const uy = <f64>Vertex.positionY(b) - ay
  const uz = <f64>Vertex.positionZ(b) - az
  const vx = <f64>Vertex.positionX(c) - ax
  const vy = <f64>Vertex.positionY(c) - ay
  const vz = <f64>Vertex.positionZ(c) - az
  const root = sqrt<f64>(u)
  const beta = root * (1 - v)
  const gamma = root * v
  let dx = ax + beta * ux + gamma * vx - px
  let dy = ay + beta * uy + gamma * vy - py
  let dz = az + beta * uz + gamma * vz - pz
  const distance2 = dx * dx + dy * dy + dz * dz
  const distance = sqrt<f64>(distance2)
  dx /= distance
  dy /= distance
  dz /= distance
  const gx = uy * vz - uz * vy
  const gy = uz * vx - ux * vz
  const gz = ux * vy - uy * vx
  const twice = sqrt<f64>(gx * gx + gy * gy + gz * gz)
  const cosine = abs<f64>(dx * gx + dy * gy + dz * gz) / twice
  if (!(cosine > 0)) {
    answerNothing()
    return
  }
  const material = i32x4.extract_lane(parts, 3)
  const coverage = coverageOf(parts, material, beta, gamma)
  point(dx, dy, dz)
  setReach(shortOf(distance, cosine, sizeOf(ax, ay, az) + max<f64>(sizeOf(ux, uy, uz), sizeOf(vx, vy, vz))))
  answer(
    Material.emissionRed(material) * coverage,
    Material.emissionGreen(material) * coverage,
    Material.emissionBlue(material) * coverage,
    (distance2 * 2) / (cosine * twice),
  )
}

/** Share of a triangle that is there at a point: rays that come from there pass the rest. */
@inline
function coverageOf(parts: v128, material: u32, beta: f64, gamma: f64): f64 {
  if ((Material.passing(material) & Passing.SOME) == 0) return 1
  // Nothing passes surfaces meanwhile: their scratch is free.
  Hit.setParts(passHits, parts)
  Surface.setOnB(passSurfaces, <f32>beta)
  Surface.setOnC(passSurfaces, <f32>gamma)
  return coverageAt(passSurfaces, passHits, material)
}
