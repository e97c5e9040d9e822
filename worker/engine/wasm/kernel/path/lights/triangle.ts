/** Emissive triangles: they shine towards both sides, as far as they are there, and as textures say. Close ones are sampled by solid angle, far ones by area. */
import { Hit, LitTriangle, MapName, Material, Passing, Scene, Surface, TextureUse, Vertex } from '../../records'
import { lookUpAt } from '../../surface/lookup'
import { mul, splat } from '../../surface/math/floats'
import { coverageAt } from '../../surface/pass'
import { passHits, passSurfaces } from '../../surface/workspace'
import { firstParts, partsOf } from '../../triangle-parts'
import { answer, answerNothing, point, setReach } from '../result'
import { cellAt, onB, onC, pointOfCell, setWeights } from './cells'
import { shortOf, sizeOf } from './reach'
import { pointOnSeen, seenX, seenY, seenZ, seeTriangle } from './seen-triangle'
import { chanceOf } from './tree'

/** Of the triangle that is looked at: corner a and the edges from there, the cross product of these and its length. */
let ax: f64 = 0
let ay: f64 = 0
let az: f64 = 0
let ux: f64 = 0
let uy: f64 = 0
let uz: f64 = 0
let vx: f64 = 0
let vy: f64 = 0
let vz: f64 = 0
let gx: f64 = 0
let gy: f64 = 0
let gz: f64 = 0
let twice: f64 = 0

function lookAt(parts: v128): void {
  const a = i32x4.extract_lane(parts, 0)
  const b = i32x4.extract_lane(parts, 1)
  const c = i32x4.extract_lane(parts, 2)
  ax = Vertex.positionX(a)
  ay = Vertex.positionY(a)
  az = Vertex.positionZ(a)
  ux = <f64>Vertex.positionX(b) - ax
  uy = <f64>Vertex.positionY(b) - ay
  uz = <f64>Vertex.positionZ(b) - az
  vx = <f64>Vertex.positionX(c) - ax
  vy = <f64>Vertex.positionY(c) - ay
  vz = <f64>Vertex.positionZ(c) - az
  gx = uy * vz - uz * vy
  gy = uz * vx - ux * vz
  gz = ux * vy - uy * vx
  twice = sqrt<f64>(gx * gx + gy * gy + gz * gz)
}

/** Solid angle under which (px, py, pz) sees a cell of the triangle looked at; 0 if its points are chosen over its area. */
function seeCell(index: u32, side: u32, px: f64, py: f64, pz: f64): f64 {
  const x = ax - px
  const y = ay - py
  const z = az - pz
  if (side == 1) return seeTriangle(x, y, z, x + ux, y + uy, z + uz, x + vx, y + vy, z + vz)
  pointOfCell(index, side, 0, 0)
  const aB = onB
  const aC = onC
  pointOfCell(index, side, 1, 0)
  const bB = onB
  const bC = onC
  pointOfCell(index, side, 0, 1)
  return seeTriangle(
    x + aB * ux + aC * vx,
    y + aB * uy + aC * vy,
    z + aB * uz + aC * vz,
    x + bB * ux + bC * vx,
    y + bB * uy + bC * vy,
    z + bB * uz + bC * vz,
    x + onB * ux + onC * vx,
    y + onB * uy + onC * vy,
    z + onB * uz + onC * vz,
  )
}

/** The record of the triangle of a cell. */
@inline
export function litOf(cell: u32): u32 {
  return Scene.litTriangles() + load<u32>(Scene.cells() + cell * 4) * LitTriangle.BYTES
}

/** Reads what `sampleTriangle` will of a triangle that shines: addresses that lead to each other. */
@inline
export function touchLit(lit: u32): u32 {
  const parts = partsOf(LitTriangle.triangle(lit), Scene.triangles(), firstParts())
  const a = Vertex.positionX(i32x4.extract_lane(parts, 0))
  const b = Vertex.positionX(i32x4.extract_lane(parts, 1))
  const c = Vertex.positionX(i32x4.extract_lane(parts, 2))
  return reinterpret<u32>(a) + reinterpret<u32>(b) + reinterpret<u32>(c)
}

/** Answers a direction from (px, py, pz) to a point of a cell of an emissive triangle; the density is without that of its choice. */
export function sampleTriangle(cell: u32, px: f64, py: f64, pz: f64, u: f64, v: f64): void {
  const lit = litOf(cell)
  const side = LitTriangle.side(lit)
  const parts = partsOf(LitTriangle.triangle(lit), Scene.triangles(), firstParts())
  lookAt(parts)
  const index = cell - LitTriangle.firstCell(lit)
  const seen = seeCell(index, side, px, py, pz)
  if (seen > 0) {
    pointOnSeen(u, v)
    weightsAlong(px, py, pz)
  } else {
    const root = sqrt<f64>(u)
    pointOfCell(index, side, root * (1 - v), root * v)
  }
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
    seen > 0 ? 1 / seen : (distance2 * 2 * <f64>(side * side)) / (cosine * twice),
  )
}

/** Sets the point of the triangle looked at that is in the direction chosen last: Möller and Trumbore, Journal of Graphics Tools 2(1), 1997. */
function weightsAlong(px: f64, py: f64, pz: f64): void {
  const hx = seenY * vz - seenZ * vy
  const hy = seenZ * vx - seenX * vz
  const hz = seenX * vy - seenY * vx
  const inverse = 1 / (ux * hx + uy * hy + uz * hz)
  const sx = px - ax
  const sy = py - ay
  const sz = pz - az
  const qx = sy * uz - sz * uy
  const qy = sz * ux - sx * uz
  const qz = sx * uy - sy * ux
  setWeights((sx * hx + sy * hy + sz * hz) * inverse, (seenX * qx + seenY * qy + seenZ * qz) * inverse)
}

/**
 * The density with which `sampleTriangle`, and the choice of the light before it, choose the direction from (px, py, pz) to a point of a triangle that shines.
 * @param id number of the triangle among those that are baked @param b the point's weight of corner b @param c of corner c
 * @param cosine between the direction and the triangle's normal
 */
export function triangleDensity(id: u32, b: f64, c: f64, px: f64, py: f64, pz: f64, distance: f64, cosine: f64): f64 {
  const lit = litTriangle(id)
  if (lit == 0) return 0
  const side = LitTriangle.side(lit)
  const index = cellAt(side, b, c)
  const chance = chanceOf(Scene.lightCount() + LitTriangle.firstCell(lit) + index, px, py, pz)
  if (chance == 0) return 0
  lookAt(partsOf(id, Scene.triangles(), firstParts()))
  const seen = seeCell(index, side, px, py, pz)
  return seen > 0 ? chance / seen : (chance * distance * distance * 2 * <f64>(side * side)) / (abs<f64>(cosine) * twice)
}

/** The record of a triangle that shines; 0 if it is none. */
function litTriangle(id: u32): u32 {
  const triangles = Scene.litTriangles()
  let low: u32 = 0
  let high = Scene.litCount()
  while (low < high) {
    const middle = (low + high) >> 1
    if (LitTriangle.triangle(triangles + middle * LitTriangle.BYTES) < id) low = middle + 1
    else high = middle
  }
  if (low >= Scene.litCount()) return 0
  const lit = triangles + low * LitTriangle.BYTES
  return LitTriangle.triangle(lit) == id ? lit : 0
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
    if (TextureUse.name(map) == MapName.EMISSION) return lookUpAt(map, surface, hit)
  return splat(1)
}
