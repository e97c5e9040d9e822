/**
 * Writes a scene to the kernel's memory: what the host itself needs of it later, the baked triangles, the material table, and the
 * header by which the kernel finds them.
 */
import { type AmbientLook, type AmbientMaterial, ambientLook } from '../../../shared/scene/ambient-look.ts'
import {
  type bakedSize,
  bakeInto,
  COLOR_NUMBERS,
  TRIANGLE_WORDS,
  type Triangles,
  VERTEX_FLOATS,
} from '../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import type { Vec3 } from '../../../shared/view.ts'
import {
  COATED,
  COLOR_BYTES,
  FIRST_FREE,
  GLASS,
  MATERIAL_BYTES,
  MATERIAL_COLOR,
  MATERIAL_IOR,
  MATERIAL_KIND,
  MATERIAL_VARIES,
  MATTE,
  MIRROR,
  SCENE,
  SCENE_COLORS,
  SCENE_MATERIAL_COUNT,
  SCENE_MATERIALS,
  SCENE_SKY,
  SCENE_SUN,
  SCENE_TRIANGLES,
  SCENE_TRIANGLES_AT,
  SCENE_VERTICES,
  SCENE_VERTICES_AT,
  TRIANGLE_BYTES,
  VARIES_VERTEX_COLORS,
  VERTEX_BYTES,
} from './kernel/layout.ts'
import { lightTables, putLightTables } from './light/light-tables.ts'
import type { KernelMemory } from './memory.ts'
import { putTextures } from './textures.ts'

const KINDS: Readonly<Record<AmbientMaterial['kind'], number>> = {
  matte: MATTE,
  coated: COATED,
  mirror: MIRROR,
  glass: GLASS,
}

/** The host's own block: three doubles, the scene's centre. Stored with the scene, and unknown to the kernel. */
const CENTRE = FIRST_FREE
const HOST_BYTES = 128

/** Numbers of a scene's vertices and triangles, before those without area are left out, and addresses. */
export interface ScenePlaces {
  readonly vertices: number
  readonly triangles: number
  readonly verticesAt: number
  readonly trianglesAt: number
  /** Of the vertices' colours; undefined if there are none. */
  readonly colorsAt: number | undefined
  readonly materials: number
  readonly light: number
  readonly textures: number
  /** The first address after all of them, a multiple of 128. */
  readonly end: number
}

/** @param parts bytes of the tables for the path tracer's light and of textures, and whether vertices have colours */
export function placesOf(
  { vertices, triangles }: ReturnType<typeof bakedSize>,
  materialCount: number,
  { lightBytes = 0, textureBytes = 0, colors = false } = {},
): ScenePlaces {
  const verticesAt = FIRST_FREE + HOST_BYTES
  const trianglesAt = align128(verticesAt + vertices * VERTEX_BYTES)
  const afterTriangles = align128(trianglesAt + triangles * TRIANGLE_BYTES)
  const materials = colors ? align128(afterTriangles + vertices * COLOR_BYTES) : afterTriangles
  const light = align128(materials + materialCount * MATERIAL_BYTES)
  const textures = align128(light + lightBytes)
  const end = align128(textures + textureBytes)
  const colorsAt = colors ? afterTriangles : undefined
  return { vertices, triangles, verticesAt, trianglesAt, colorsAt, materials, light, textures, end }
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
  markVarying(memory, scene, places)
  putTextures(memory, scene, places.textures, places.materials)
  putLightTables(memory, lightTables(scene, arrays, baked), places)
}

/** Tells the kernel which materials' colours are still to be multiplied by those of vertices. */
function markVarying({ words }: KernelMemory, { meshes, instances }: SceneDescription, places: ScenePlaces): void {
  for (const { mesh, materials } of instances)
    if (meshes[mesh]!.attributes.includes('color'))
      for (const material of materials)
        words[(places.materials + material * MATERIAL_BYTES + MATERIAL_VARIES) >>> 2] = VARIES_VERTEX_COLORS
}

type TrianglePlaces = Pick<ScenePlaces, 'vertices' | 'triangles' | 'verticesAt' | 'trianglesAt'> &
  Partial<Pick<ScenePlaces, 'colorsAt'>>

/** The arrays at their addresses, as views that stay valid when the memory grows. */
export function arraysAt({ words, floats, memory }: KernelMemory, places: TrianglePlaces): Triangles {
  const [vertices, corners] = [places.verticesAt >>> 2, places.trianglesAt >>> 2]
  return {
    vertices: floats.subarray(vertices, vertices + places.vertices * VERTEX_FLOATS),
    corners: words.subarray(corners, corners + places.triangles * TRIANGLE_WORDS),
    ...(places.colorsAt !== undefined && {
      colors: new Uint16Array(memory.buffer, places.colorsAt, places.vertices * COLOR_NUMBERS),
    }),
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
  put(SCENE_VERTICES_AT, places.verticesAt)
  put(SCENE_TRIANGLES_AT, places.trianglesAt)
  put(SCENE_COLORS, places.colorsAt ?? 0)
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

/** The triangles of the scene in a memory. */
export function bakedIn(memory: KernelMemory): Triangles {
  const header = (field: number) => memory.words[(SCENE + field) >>> 2]!
  return arraysAt(memory, {
    vertices: header(SCENE_VERTICES),
    triangles: header(SCENE_TRIANGLES),
    verticesAt: header(SCENE_VERTICES_AT),
    trianglesAt: header(SCENE_TRIANGLES_AT),
  })
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
