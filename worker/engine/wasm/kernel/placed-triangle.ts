/**
 * Triangles of instances where they are in the scene, for shading: with the bits that baking gives them (`shared/scene/bake.ts`,
 * `bake-extras.ts`). A placed vertex lies in a workspace, behind all that belongs to the scene.
 */
import {
  Corner,
  Id,
  Instance,
  MaterialSlot,
  MatrixRow,
  PlacedVertex,
  Ray,
  Scene,
  Slot,
  Tangent,
  TangentFloats,
  Triangle4,
  Uv,
  Vertex,
  VertexColor,
} from './records'
import { materialNumber, partsOf, wordsOf } from './triangle-parts'
import { numberInScene } from './triangle-number'

/** As in `bake-extras.ts`. */
const TANGENT_UNIT: f64 = 32767

@inline
export function hasInstances(): bool {
  return Scene.instanceCount() > 0
}

/** Parts of the triangle that a ray has hit, as `partsOf`; its vertices may be those of a mesh. `instances`: whether the scene has any. */
@inline
export function hitParts(ray: u32, slot: u32, triangles: u32, first: v128, instances: bool): v128 {
  const id = Triangle4.id(slot) & Id.MASK
  const parts = partsOf(id, triangles, first)
  if (!instances) return parts
  const instance = Ray.instance(ray)
  return instance == 0 ? parts : instanceParts(parts, wordsOf(id, triangles), instance)
}

function instanceParts(parts: v128, words: u32, instance: u32): v128 {
  const slot = materialNumber(words) / Slot.NUMBER
  const material = MaterialSlot.material(Instance.materials(instance) + slot * MaterialSlot.BYTES)
  const ordered = Instance.cornerB(instance) == Corner.BYTES ? parts : i32x4.shuffle(parts, parts, 0, 2, 1, 3)
  return i32x4.replace_lane(ordered, 3, material)
}

/** Places the triangle of a mesh that parts name, as an instance has it, at `to`; returns its parts there. */
export function placeTriangle(parts: v128, instance: u32, to: u32): v128 {
  placeVertex(i32x4.extract_lane(parts, 0), instance, to)
  placeVertex(i32x4.extract_lane(parts, 1), instance, to + PlacedVertex.BYTES)
  placeVertex(i32x4.extract_lane(parts, 2), instance, to + 2 * PlacedVertex.BYTES)
  const places = i32x4.add(i32x4.splat(to), i32x4(0, PlacedVertex.BYTES, 2 * PlacedVertex.BYTES, 0))
  return i32x4.replace_lane(places, 3, i32x4.extract_lane(parts, 3))
}

function placeVertex(vertex: u32, instance: u32, to: u32): void {
  const x: f64 = Vertex.positionX(vertex)
  const y: f64 = Vertex.positionY(vertex)
  const z: f64 = Vertex.positionZ(vertex)
  Vertex.setPositionX(to, <f32>(along(Instance.placeXAddress(instance), x, y, z) + Instance.placeXShift(instance)))
  Vertex.setPositionY(to, <f32>(along(Instance.placeYAddress(instance), x, y, z) + Instance.placeYShift(instance)))
  Vertex.setPositionZ(to, <f32>(along(Instance.placeZAddress(instance), x, y, z) + Instance.placeZShift(instance)))
  const nx: f64 = Vertex.normalX(vertex)
  const ny: f64 = Vertex.normalY(vertex)
  const nz: f64 = Vertex.normalZ(vertex)
  const mx = along(Instance.normalXAddress(instance), nx, ny, nz)
  const my = along(Instance.normalYAddress(instance), nx, ny, nz)
  const mz = along(Instance.normalZAddress(instance), nx, ny, nz)
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  Vertex.setNormalX(to, <f32>(mx / length))
  Vertex.setNormalY(to, <f32>(my / length))
  Vertex.setNormalZ(to, <f32>(mz / length))
  const number = (vertex - Scene.vertices()) / Vertex.BYTES
  const colors = Scene.colors()
  if (colors != 0) VertexColor.setBits(PlacedVertex.color(to), VertexColor.bits(colors + number * VertexColor.BYTES))
  const uv = Scene.uv()
  if (uv != 0) Uv.setBits(PlacedVertex.uv(to), Uv.bits(uv + number * Uv.BYTES))
  const uv2 = Scene.uv2()
  if (uv2 != 0) Uv.setBits(PlacedVertex.uv2(to), Uv.bits(uv2 + number * Uv.BYTES))
  if (Scene.tangents() != 0)
    placeTangent(Scene.meshTangents() + number * TangentFloats.BYTES, instance, PlacedVertex.tangent(to))
}

/** A tangent goes with the surface; where that is mirrored, the bitangent changes sides. */
function placeTangent(tangent: u32, instance: u32, to: u32): void {
  const x: f64 = TangentFloats.directionX(tangent)
  const y: f64 = TangentFloats.directionY(tangent)
  const z: f64 = TangentFloats.directionZ(tangent)
  const tx = along(Instance.placeXAddress(instance), x, y, z)
  const ty = along(Instance.placeYAddress(instance), x, y, z)
  const tz = along(Instance.placeZAddress(instance), x, y, z)
  const length = sqrt<f64>(tx * tx + ty * ty + tz * tz)
  Tangent.setBits(to, 0)
  if (!(length > 0 && length < Infinity)) return
  const scale = TANGENT_UNIT / length
  const mirrored = Instance.cornerB(instance) != Corner.BYTES
  Tangent.setDirectionX(to, <i16>floor<f64>(tx * scale + 0.5))
  Tangent.setDirectionY(to, <i16>floor<f64>(ty * scale + 0.5))
  Tangent.setDirectionZ(to, <i16>floor<f64>(tz * scale + 0.5))
  Tangent.setDirectionSide(to, TangentFloats.directionSide(tangent) < 0 == mirrored ? <i16>TANGENT_UNIT : <i16>-TANGENT_UNIT)
}

@inline
function along(row: u32, x: f64, y: f64, z: f64): f64 {
  return MatrixRow.x(row) * x + MatrixRow.y(row) * y + MatrixRow.z(row) * z
}

/**
 * Writes three vertices, Vertex.BYTES each, of the triangle that a traced ray has hit, as they are in the scene, to `to`; there must be room for
 * a placed triangle. Returns the triangle's number in the scene.
 */
export function hitTriangle(ray: u32, to: u32): u32 {
  const slot = Ray.hit(ray)
  const triangles = Scene.triangles()
  const first = i32x4.splat(Scene.vertices())
  const instance = hasInstances() ? Ray.instance(ray) : 0
  let parts = hitParts(ray, slot, triangles, first, instance != 0)
  if (instance != 0) parts = placeTriangle(parts, instance, to)
  const a = i32x4.extract_lane(parts, 0)
  const b = i32x4.extract_lane(parts, 1)
  const c = i32x4.extract_lane(parts, 2)
  for (let k: u32 = 0; k < Vertex.BYTES; k += 8) store<u64>(to + k, load<u64>(a + k))
  for (let k: u32 = 0; k < Vertex.BYTES; k += 8) store<u64>(to + Vertex.BYTES + k, load<u64>(b + k))
  for (let k: u32 = 0; k < Vertex.BYTES; k += 8) store<u64>(to + 2 * Vertex.BYTES + k, load<u64>(c + k))
  return numberInScene(Triangle4.id(slot) & Id.MASK, instance)
}
