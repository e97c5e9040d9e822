/** Emissive triangles: they shine towards both sides, as far as they are there, and as textures say. */
import { Hit, LitTriangle, MapName, Material, Passing, Scene, Surface, TextureUse, Vertex } from '../../records'
import { lookUp } from '../../surface/lookup'
import { mul, splat } from '../../surface/math/floats'
import { coverageAt } from '../../surface/pass'
import { passHits, passSurfaces } from '../../surface/workspace'
import { firstParts, partsOf } from '../../triangle-parts'
import { answer, answerNothing, point, setReach } from '../result'
import { onB, onC, pointOfCell } from './cells'
import { shortOf, sizeOf } from './reach'

/** Answers a direction from (px, py, pz) to a point of a cell of an emissive triangle; the density is without that of its choice. */
export function sampleTriangle(cell: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const lit = Scene.litTriangles() + load<u32>(Scene.cells() + cell * 4) * LitTriangle.BYTES
  const side = LitTriangle.side(lit)
  const parts = partsOf(LitTriangle.triangle(lit), Scene.triangles(), firstParts())
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
  pointOfCell(cell - LitTriangle.firstCell(lit), side, root * (1 - v), root * v)
  const beta = onB
  const gamma = onC
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
  const emission = emissionOf(parts, material, beta, gamma)
  point(dx, dy, dz)
  setReach(shortOf(distance, cosine, sizeOf(ax, ay, az) + max<f64>(sizeOf(ux, uy, uz), sizeOf(vx, vy, vz))))
  answer(
    Material.emissionRed(material) * <f64>f32x4.extract_lane(emission, 0),
    Material.emissionGreen(material) * <f64>f32x4.extract_lane(emission, 1),
    Material.emissionBlue(material) * <f64>f32x4.extract_lane(emission, 2),
    (distance2 * 2 * <f64>(side * side)) / (cosine * twice),
  )
}

/** Share of its material's emission that leaves a triangle at a point: rays that come from there pass what is not there. */
@inline
function emissionOf(parts: v128, material: u32, beta: f64, gamma: f64): v128 {
  const passes = (Material.passing(material) & Passing.SOME) != 0
  if (!passes && Material.mapCount(material) == 0) return splat(1)
  // Nothing passes surfaces meanwhile: their scratch is free.
  Hit.setParts(passHits, parts)
  Surface.setOnB(passSurfaces, <f32>beta)
  Surface.setOnC(passSurfaces, <f32>gamma)
  const emission = emissionTexel(passSurfaces, passHits, material)
  return passes ? mul(emission, splat(coverageAt(passSurfaces, passHits, material))) : emission
}

/**
 * What a texture says of a material's emission at a hit point, on the finest level: a ray that stands for much of a surface would take light of other
 * cells for that of its own, and light that both techniques find has to be the same to both.
 */
export function emissionTexel(surface: u32, hit: u32, material: u32): v128 {
  const maps = Material.maps(material)
  const end = maps + Material.mapCount(material) * TextureUse.BYTES
  for (let map = maps; map < end; map += TextureUse.BYTES)
    if (TextureUse.name(map) == MapName.EMISSION) return lookUp(map, surface, hit, 0)
  return splat(1)
}
