/**
 * Triangles of instances where they are in the scene, for shading: with the bits that baking gives them (`shared/scene/bake.ts`,
 * `bake-extras.ts`). A placed vertex, PLACED_BYTES, is a vertex, then its colour, second coordinates and tangent, in the layouts of the
 * arrays that baked vertices have (`layout.ts`). It lies in a workspace, behind all that belongs to the scene.
 */
import {
  COLOR_BYTES,
  ID_MASK,
  RAY_HIT,
  RAY_INSTANCE,
  SCENE,
  SCENE_COLORS,
  SCENE_TANGENTS,
  SCENE_TRIANGLES_AT,
  SCENE_UV2,
  SCENE_VERTICES_AT,
  TRIANGLE4_CORNER,
  TRIANGLE4_IDS,
  TRIANGLE_BYTES,
  UV2_BYTES,
  VERTEX_BYTES,
  VERTEX_NORMAL,
  VERTEX_UV,
} from './layout'
import {
  INSTANCE_CORNER_B,
  INSTANCE_CORNER_C,
  INSTANCE_MATERIALS,
  INSTANCE_NORMALS,
  INSTANCE_PLACE,
  PLACED_BYTES,
  PLACED_COLOR,
  PLACED_TANGENT,
  PLACED_UV2,
  SCENE_INSTANCE_COUNT,
  SCENE_MESH_TANGENTS,
  SLOT_CLEAR,
  TANGENT_FLOATS_BYTES,
} from './instance-layout'
import { partsOf } from './triangle-parts'
import { numberInScene } from './triangle-number'

/** As in `bake-extras.ts`. */
const TANGENT_UNIT: f64 = 32767

@inline
export function hasInstances(): bool {
  return load<u32>(SCENE, SCENE_INSTANCE_COUNT) > 0
}

/** Parts of the triangle that a ray has hit, as `partsOf`; its vertices may be those of a mesh. `instances`: whether the scene has any. */
@inline
export function hitParts(ray: u32, slot: u32, triangles: u32, first: v128, instances: bool): v128 {
  const id = load<u32>(slot, TRIANGLE4_IDS) & ID_MASK
  const parts = partsOf(id, triangles, first)
  if (!instances) return parts
  const instance = load<u32>(ray, RAY_INSTANCE)
  return instance == 0 ? parts : instanceParts(parts, triangles + id * TRIANGLE_BYTES, instance)
}

function instanceParts(parts: v128, triangle: u32, instance: u32): v128 {
  const slot = load<u32>(triangle, 12) & ~SLOT_CLEAR
  const material = load<u32>(load<u32>(instance, INSTANCE_MATERIALS) + slot * 4)
  const ordered = load<u32>(instance, INSTANCE_CORNER_B) == TRIANGLE4_CORNER ? parts : i32x4.shuffle(parts, parts, 0, 2, 1, 3)
  return i32x4.replace_lane(ordered, 3, material)
}

/** Places the triangle of a mesh that parts name, as an instance has it, at `to`; returns its parts there. */
export function placeTriangle(parts: v128, instance: u32, to: u32): v128 {
  placeVertex(i32x4.extract_lane(parts, 0), instance, to)
  placeVertex(i32x4.extract_lane(parts, 1), instance, to + PLACED_BYTES)
  placeVertex(i32x4.extract_lane(parts, 2), instance, to + 2 * PLACED_BYTES)
  const places = i32x4.add(i32x4.splat(to), i32x4(0, PLACED_BYTES, 2 * PLACED_BYTES, 0))
  return i32x4.replace_lane(places, 3, i32x4.extract_lane(parts, 3))
}

function placeVertex(vertex: u32, instance: u32, to: u32): void {
  const x: f64 = load<f32>(vertex)
  const y: f64 = load<f32>(vertex, 4)
  const z: f64 = load<f32>(vertex, 8)
  const place = instance + INSTANCE_PLACE
  store<f32>(to, <f32>(along(place, x, y, z) + load<f64>(place, 24)))
  store<f32>(to, <f32>(along(place + 32, x, y, z) + load<f64>(place, 56)), 4)
  store<f32>(to, <f32>(along(place + 64, x, y, z) + load<f64>(place, 88)), 8)
  const nx: f64 = load<f32>(vertex, VERTEX_NORMAL)
  const ny: f64 = load<f32>(vertex, VERTEX_NORMAL + 4)
  const nz: f64 = load<f32>(vertex, VERTEX_NORMAL + 8)
  const normals = instance + INSTANCE_NORMALS
  const mx = along(normals, nx, ny, nz)
  const my = along(normals + 24, nx, ny, nz)
  const mz = along(normals + 48, nx, ny, nz)
  const length = sqrt<f64>(mx * mx + my * my + mz * mz)
  store<f32>(to, <f32>(mx / length), VERTEX_NORMAL)
  store<f32>(to, <f32>(my / length), VERTEX_NORMAL + 4)
  store<f32>(to, <f32>(mz / length), VERTEX_NORMAL + 8)
  store<u64>(to, load<u64>(vertex, VERTEX_UV), VERTEX_UV)
  const number = (vertex - load<u32>(SCENE, SCENE_VERTICES_AT)) / VERTEX_BYTES
  const colors = load<u32>(SCENE, SCENE_COLORS)
  if (colors != 0) store<u64>(to, load<u64>(colors + number * COLOR_BYTES), PLACED_COLOR)
  const uv2 = load<u32>(SCENE, SCENE_UV2)
  if (uv2 != 0) store<u64>(to, load<u64>(uv2 + number * UV2_BYTES), PLACED_UV2)
  if (load<u32>(SCENE, SCENE_TANGENTS) != 0)
    placeTangent(load<u32>(SCENE, SCENE_MESH_TANGENTS) + number * TANGENT_FLOATS_BYTES, instance, to + PLACED_TANGENT)
}

/** A tangent goes with the surface; where that is mirrored, the bitangent changes sides. */
function placeTangent(tangent: u32, instance: u32, to: u32): void {
  const x: f64 = load<f32>(tangent)
  const y: f64 = load<f32>(tangent, 4)
  const z: f64 = load<f32>(tangent, 8)
  const place = instance + INSTANCE_PLACE
  const tx = along(place, x, y, z)
  const ty = along(place + 32, x, y, z)
  const tz = along(place + 64, x, y, z)
  const length = sqrt<f64>(tx * tx + ty * ty + tz * tz)
  store<u64>(to, 0)
  if (!(length > 0 && length < Infinity)) return
  const scale = TANGENT_UNIT / length
  const mirrored = load<u32>(instance, INSTANCE_CORNER_B) != TRIANGLE4_CORNER
  store<i16>(to, <i16>floor<f64>(tx * scale + 0.5))
  store<i16>(to, <i16>floor<f64>(ty * scale + 0.5), 2)
  store<i16>(to, <i16>floor<f64>(tz * scale + 0.5), 4)
  store<i16>(to, load<f32>(tangent, 12) < 0 == mirrored ? <i16>TANGENT_UNIT : <i16>-TANGENT_UNIT, 6)
}

@inline
function along(row: u32, x: f64, y: f64, z: f64): f64 {
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z
}

/**
 * Writes three vertices, VERTEX_BYTES each, of the triangle that a traced ray has hit, as they are in the scene, to `to`; there must be room for
 * PLACED_TRIANGLE_BYTES. Returns the triangle's number in the scene.
 */
export function hitTriangle(ray: u32, to: u32): u32 {
  const slot = load<u32>(ray, RAY_HIT)
  const triangles = load<u32>(SCENE, SCENE_TRIANGLES_AT)
  const first = i32x4.splat(load<u32>(SCENE, SCENE_VERTICES_AT))
  const instance = hasInstances() ? load<u32>(ray, RAY_INSTANCE) : 0
  let parts = hitParts(ray, slot, triangles, first, instance != 0)
  if (instance != 0) parts = placeTriangle(parts, instance, to)
  const a = i32x4.extract_lane(parts, 0)
  const b = i32x4.extract_lane(parts, 1)
  const c = i32x4.extract_lane(parts, 2)
  for (let k: u32 = 0; k < VERTEX_BYTES; k += 16) v128.store(to + k, v128.load(a + k))
  for (let k: u32 = 0; k < VERTEX_BYTES; k += 16) v128.store(to + VERTEX_BYTES + k, v128.load(b + k))
  for (let k: u32 = 0; k < VERTEX_BYTES; k += 16) v128.store(to + 2 * VERTEX_BYTES + k, v128.load(c + k))
  return numberInScene(load<u32>(slot, TRIANGLE4_IDS) & ID_MASK, instance)
}
