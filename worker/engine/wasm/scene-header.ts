/**
 * Writes a scene to the kernel's memory: what the host itself needs of it later, the baked triangles, the material table, and the
 * header by which the kernel finds them.
 */
import { type AmbientLook, type AmbientMaterial, ambientLook } from '../../../shared/scene/ambient-look.ts'
import { type bakedSize, bakeInto, type Triangles } from '../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import type { Vec3 } from '../../../shared/view.ts'
import {
  COATED,
  FIRST_FREE,
  GLASS,
  MATERIAL_BYTES,
  MATERIAL_COLOR,
  MATERIAL_IOR,
  MATERIAL_KIND,
  MATTE,
  MIRROR,
  SCENE,
  SCENE_INDICES,
  SCENE_MATERIAL_COUNT,
  SCENE_MATERIAL_IDS,
  SCENE_MATERIALS,
  SCENE_NORMALS,
  SCENE_POSITIONS,
  SCENE_SKY,
  SCENE_SUN,
  SCENE_TRIANGLES,
  SCENE_VERTICES,
} from './kernel/layout.ts'
import { lightTables, putLightTables } from './light/light-tables.ts'
import type { KernelMemory } from './memory.ts'

const KINDS: Readonly<Record<AmbientMaterial['kind'], number>> = {
  matte: MATTE,
  coated: COATED,
  mirror: MIRROR,
  glass: GLASS,
}

/** The host's own block: three doubles, the scene's centre. Stored with the scene, and unknown to the kernel. */
const CENTRE = FIRST_FREE
const HOST_BYTES = 128

/** Addresses of a scene's arrays, and their lengths before triangles without area are left out. */
export interface ScenePlaces {
  readonly vertices: number
  readonly triangles: number
  readonly positions: number
  readonly normals: number
  readonly indices: number
  readonly materialIds: number
  readonly materials: number
  readonly light: number
  /** The first address after all of them, a multiple of 128. */
  readonly end: number
}

/** @param lightBytes of the tables for the path tracer's light */
export function placesOf(
  { vertices, triangles }: ReturnType<typeof bakedSize>,
  materialCount: number,
  lightBytes = 0,
): ScenePlaces {
  const positions = FIRST_FREE + HOST_BYTES
  const normals = align128(positions + vertices * 12)
  const indices = align128(normals + vertices * 12)
  const materialIds = align128(indices + triangles * 12)
  const materials = align128(materialIds + triangles * 2)
  const light = align128(materials + materialCount * MATERIAL_BYTES)
  const end = align128(light + lightBytes)
  return { vertices, triangles, positions, normals, indices, materialIds, materials, light, end }
}

/**
 * Bakes a scene to its addresses in a zeroed memory, and writes header and materials.
 * @throws PackedSceneError for a scene without a triangle that can be hit
 */
export function putScene(memory: KernelMemory, scene: SceneDescription, places: ScenePlaces): void {
  const arrays = arraysAt(memory, places)
  const baked = bakeInto(scene, arrays)
  if (baked === 0) throw new PackedSceneError(`none of its ${places.triangles} triangles has area`)
  putHeader(memory, { ...ambientLook(scene), centre: scene.centre }, places, baked)
  putLightTables(memory, lightTables(scene, arrays, baked), places)
}

/** The arrays at their addresses. */
export function arraysAt({ words, floats, memory }: KernelMemory, places: ScenePlaces): Triangles {
  const { vertices, triangles } = places
  return {
    positions: floats.subarray(places.positions >>> 2, (places.positions >>> 2) + vertices * 3),
    normals: floats.subarray(places.normals >>> 2, (places.normals >>> 2) + vertices * 3),
    indices: words.subarray(places.indices >>> 2, (places.indices >>> 2) + triangles * 3),
    materialIds: new Uint16Array(memory.buffer, places.materialIds, triangles),
  }
}

/** Writes all but the arrays. @param triangles how many there are in the arrays */
export function putHeader(
  memory: KernelMemory,
  { materials, sky, sun, centre }: AmbientLook & { readonly centre: Vec3 },
  places: ScenePlaces,
  triangles: number,
): void {
  const { words, floats, doubles } = memory
  doubles.set(centre, CENTRE >>> 3)
  const put = (at: number, value: number) => {
    words[(SCENE + at) >>> 2] = value
  }
  put(SCENE_POSITIONS, places.positions)
  put(SCENE_NORMALS, places.normals)
  put(SCENE_INDICES, places.indices)
  put(SCENE_MATERIAL_IDS, places.materialIds)
  put(SCENE_TRIANGLES, triangles)
  put(SCENE_VERTICES, places.vertices)
  put(SCENE_MATERIALS, places.materials)
  put(SCENE_MATERIAL_COUNT, materials.length)
  floats.set([...sky.zenith, 0, ...sky.horizon, 0, ...sky.ground, 0], (SCENE + SCENE_SKY) >>> 2)
  floats.set([...sun.direction, 0, ...sun.irradiance, 0], (SCENE + SCENE_SUN) >>> 2)
  materials.forEach((material, i) => {
    putMaterial(memory, places.materials + i * MATERIAL_BYTES, material)
  })
}

/** The triangles of the scene in a memory, as views that stay valid when it grows. */
export function bakedIn({ words, floats, memory }: KernelMemory): Omit<Triangles, 'materialIds'> {
  const header = (field: number) => words[(SCENE + field) >>> 2]!
  const floatsAt = (field: number, length: number) =>
    floats.subarray(header(field) >>> 2, (header(field) >>> 2) + length)
  const vertices = header(SCENE_VERTICES)
  const indices = header(SCENE_INDICES)
  return {
    positions: floatsAt(SCENE_POSITIONS, vertices * 3),
    normals: floatsAt(SCENE_NORMALS, vertices * 3),
    indices: new Uint32Array(memory.buffer, indices, header(SCENE_TRIANGLES) * 3),
  }
}

/** The centre of the scene in a memory. */
export function centreIn({ doubles }: KernelMemory): Vec3 {
  const [x, y, z] = doubles.subarray(CENTRE >>> 3, (CENTRE >>> 3) + 3)
  return [x!, y!, z!]
}

function putMaterial({ words, floats, doubles }: KernelMemory, at: number, material: AmbientMaterial): void {
  words[(at + MATERIAL_KIND) >>> 2] = KINDS[material.kind]
  floats.set(material.color, (at + MATERIAL_COLOR) >>> 2)
  doubles[(at + MATERIAL_IOR) >>> 3] = 'ior' in material ? material.ior : 1
}

export const align128 = (address: number): number => Math.ceil(address / 128) * 128
