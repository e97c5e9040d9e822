/** Emissive triangles: they shine towards both sides. */
import { Material, Scene, Vertex } from '../../records'
import { firstParts, partsOf } from '../../triangle-parts'
import { answer, answerNothing, point, setReach } from '../result'

/** Answers a direction from (px, py, pz) to a point of emissive triangle number `index`; the density includes its choice. */
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
  const cosine = abs<f64>(dx * gx + dy * gy + dz * gz) / sqrt<f64>(gx * gx + gy * gy + gz * gz)
  if (!(cosine > 0)) {
    answerNothing()
    return
  }
  const material = i32x4.extract_lane(parts, 3)
  point(dx, dy, dz)
  setReach(distance)
  answer(
    Material.emissionRed(material),
    Material.emissionGreen(material),
    Material.emissionBlue(material),
    (Material.emissionDensity(material) * distance2) / cosine,
  )
}
