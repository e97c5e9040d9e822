/**
 * Writes a scene to the kernel's memory: what the host itself needs of it later, the baked triangles, the material table, and the
 * header by which the kernel finds them.
 */

import type { Vec3 } from '../../../shared/frame/view.ts'
import { type AmbientLook, ambientLook } from '../../../shared/scene/ambient-look.ts'
import { bakedSize, bakeInto, isPoint, type Triangles, VERTEX_FLOATS } from '../../../shared/scene/bake.ts'
import {
  COLOR_NUMBERS,
  type ExtraName,
  TANGENT_NUMBERS,
  UV_NUMBERS,
  type VertexExtras,
} from '../../../shared/scene/bake-extras.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import { type TriangleBits, triangleBits } from '../../../shared/scene/triangle-bits.ts'
import type { Instancing } from './instances/instancing.ts'
import { type InstancePlaces, type instanceSizes, putInstances } from './instances/put-instances.ts'
import type { PutGrid } from './light/environment-grid.ts'
import { lightTables, putLightTables } from './light/light-tables.ts'
import { putAmbientMaterials, putMaterials } from './materials.ts'
import type { KernelMemory } from './memory.ts'
import { putObjects } from './object-runs.ts'
import { header, put } from './records/access.ts'
import { MATERIAL } from './records/material.ts'
import { SLOT, TANGENT, UV, VERTEX, VERTEX_COLOR } from './records/mesh.ts'
import { FIRST_FREE, SCENE, SCENE_AT } from './records/scene.ts'
import { extentOf, type SceneExtent } from './scene-extent.ts'
import { type PutTextures, putTextures } from './textures.ts'

/** The host's own block: the scene's centre and its extent, three doubles and four. Stored with the scene, and unknown to the kernel. */
const CENTRE = FIRST_FREE
const EXTENT = CENTRE + 24
const HOST_BYTES = 128

/** Numbers of a scene's vertices and triangles in memory, before those without area are left out, and addresses. */
export interface ScenePlaces {
  readonly vertices: number
  readonly triangles: number
  /** Which meshes are in memory once, and where what belongs to them is; undefined if all instances are baked. */
  readonly instancing: (Instancing & { readonly places: InstancePlaces }) | undefined
  readonly verticesAt: number
  readonly trianglesAt: number
  readonly bits: TriangleBits
  /** Of what only some meshes have; those that none has are absent. */
  readonly extras: Readonly<Partial<Record<ExtraName, number>>>
  readonly objects: number
  readonly materials: number
  /** Of the materials' lists of textures. */
  readonly maps: number
  readonly light: number
  /** Of the albedos of materials that vary; undefined if there are none. */
  readonly albedos: number | undefined
  readonly textures: number
  /** The first address after all of them, a multiple of 128. */
  readonly end: number
}

/** Bytes of a scene's tables, and what only some of its meshes have. */
export interface PlaceSizes {
  readonly instancing?: Instancing | undefined
  readonly instances?: ReturnType<typeof instanceSizes> | undefined
  readonly objectBytes?: number
  readonly mapBytes?: number
  readonly lightBytes?: number
  readonly albedosBytes?: number
  readonly textureBytes?: number
  readonly extras?: readonly ExtraName[]
}

const EXTRA_BYTES: Readonly<Record<ExtraName, number>> = {
  color: VERTEX_COLOR.bytes,
  tangent: TANGENT.bytes,
  uv: UV.bytes,
  uv2: UV.bytes,
}

export function placesOf(
  { vertices, triangles }: ReturnType<typeof bakedSize>,
  materialCount: number,
  sizes: PlaceSizes = {},
): ScenePlaces {
  const {
    objectBytes = 0,
    mapBytes = 0,
    lightBytes = 0,
    albedosBytes = 0,
    textureBytes = 0,
    extras: names = [],
  } = sizes
  let next = FIRST_FREE + HOST_BYTES
  const place = (bytes: number): number => {
    const at = next
    next = align128(next + bytes)
    return at
  }
  const { instancing, instances } = sizes
  const slots = instancing?.meshes.reduce((most, { clear }) => Math.max(most, clear.length), 0) ?? 0
  const bits = triangleBits(vertices, Math.max(materialCount, slots * SLOT.number))
  const verticesAt = place(vertices * VERTEX.bytes)
  const trianglesAt = place(triangles * bits.words * 4)
  const extras = Object.fromEntries(names.map(name => [name, place(vertices * EXTRA_BYTES[name])]))
  const objects = place(objectBytes)
  const materials = place(materialCount * MATERIAL.bytes)
  const maps = place(mapBytes)
  const light = place(lightBytes)
  const albedos = albedosBytes > 0 ? place(albedosBytes) : undefined
  const textures = place(textureBytes)
  const instancePlaces = instances && {
    instances: place(instances.instances),
    trees: place(instances.trees),
    runs: place(instances.runs),
    slots: place(instances.slots),
    tangents: instances.tangents > 0 ? place(instances.tangents) : undefined,
    materials,
  }
  return {
    vertices,
    triangles,
    verticesAt,
    trianglesAt,
    bits,
    extras,
    objects,
    materials,
    maps,
    light,
    albedos,
    textures,
    instancing: instancing && instancePlaces && { ...instancing, places: instancePlaces },
    end: next,
  }
}

/**
 * Bakes a scene to its addresses in a zeroed memory, and writes header and materials.
 * @param made textures of the same texels in another memory, and its grid over an environment map
 * @param ends what `bakeInto` returned, if it is baked
 * @returns the mean of the grid over the environment map, if there is one
 * @throws PackedSceneError for a scene without a triangle that can be hit
 */
export function putScene(
  memory: KernelMemory,
  scene: SceneDescription,
  places: ScenePlaces,
  made: MadeTables = {},
  ends = bakeInto(bakedPart(scene, places.instancing), arraysAt(memory, places)),
): number | undefined {
  const arrays = arraysAt(memory, places)
  const { instancing } = places
  const part = bakedPart(scene, instancing)
  const baked = ends.at(-1) ?? 0
  const triangles = instancing
    ? putInstances(memory, scene, instancing, arrays, instancing.places, { vertices: bakedSize(part).vertices, ends })
    : baked
  if (!hasArea(arrays, triangles)) throw new PackedSceneError(`none of its ${places.triangles} triangles has area`)
  putHeader(memory, { ...ambientLook(scene), centre: scene.centre }, places, triangles, baked)
  putObjects(memory, part, ends, places.objects)
  const { middle, diagonal } = extentOf(scene)
  memory.doubles.set([...middle, diagonal], EXTENT >>> 3)
  put(memory, SCENE, SCENE_AT, {
    passing: putMaterials(memory, scene, places),
    textured: Number(scene.textures.length > 0),
  })
  putTextures(memory, scene.textures, places.textures, made.textures)
  // Those of meshes neither emit nor bound one of several media.
  const tables = lightTables(scene, arrays, baked, { memory, at: places.textures }, made.grid)
  putLightTables(memory, tables, places)
  return tables.grid?.mean
}

/** Whether any of so many triangles has area. */
function hasArea(arrays: Triangles, count: number): boolean {
  for (let triangle = 0; triangle < count; triangle++) if (!isPoint(arrays, triangle)) return true
  return false
}

/** A scene without what is in memory once for many places. */
export const bakedPart = (scene: SceneDescription, instancing: Instancing | undefined): SceneDescription =>
  instancing ? { ...scene, instances: scene.instances.filter((_, i) => instancing.meshOf[i]! < 0) } : scene

/** What another scene's memory has that may be the same. */
export interface MadeTables {
  readonly textures?: PutTextures
  readonly grid?: PutGrid
}

type TrianglePlaces = Pick<ScenePlaces, 'vertices' | 'triangles' | 'verticesAt' | 'trianglesAt' | 'bits'> &
  Partial<Pick<ScenePlaces, 'extras'>>

/** The arrays at their addresses, as views that stay valid when the memory grows. */
export function arraysAt({ words, floats, memory }: KernelMemory, places: TrianglePlaces): Triangles {
  const [vertices, corners] = [places.verticesAt >>> 2, places.trianglesAt >>> 2]
  return {
    vertices: floats.subarray(vertices, vertices + places.vertices * VERTEX_FLOATS),
    corners: words.subarray(corners, corners + places.triangles * places.bits.words),
    bits: places.bits,
    extras: extrasAt(memory, places),
  }
}

function extrasAt(memory: WebAssembly.Memory, { vertices, extras = {} }: TrianglePlaces): VertexExtras {
  const { color, tangent, uv, uv2 } = extras
  const { buffer } = memory
  return {
    ...(color !== undefined && { color: new Uint16Array(buffer, color, vertices * COLOR_NUMBERS) }),
    ...(tangent !== undefined && { tangent: new Int16Array(buffer, tangent, vertices * TANGENT_NUMBERS) }),
    ...(uv !== undefined && { uv: new Float32Array(buffer, uv, vertices * UV_NUMBERS) }),
    ...(uv2 !== undefined && { uv2: new Float32Array(buffer, uv2, vertices * UV_NUMBERS) }),
  }
}

/** Writes all but the arrays. @param triangles how many there are in the arrays @param baked how many of them are not those of meshes */
export function putHeader(
  memory: KernelMemory,
  { materials, sky, sun, centre }: AmbientLook & { readonly centre: Vec3 },
  places: ScenePlaces,
  triangles: number,
  baked = triangles,
): void {
  memory.doubles.set(centre, CENTRE >>> 3)
  put(memory, SCENE, SCENE_AT, {
    vertices: places.verticesAt,
    triangles: places.trianglesAt,
    triangleBytes: places.bits.words * 4,
    vertexBits: places.bits.vertex,
    materialBits: places.bits.material,
    colors: places.extras.color ?? 0,
    tangents: places.extras.tangent ?? 0,
    albedos: places.albedos ?? 0,
    uv: places.extras.uv ?? 0,
    uv2: places.extras.uv2 ?? 0,
    triangleCount: triangles,
    bakedCount: baked,
    vertexCount: places.vertices,
    materials: places.materials,
    materialCount: materials.length,
    skyZenith: sky.zenith,
    skyHorizon: sky.horizon,
    skyGround: sky.ground,
    sunDirection: sun.direction,
    sunIrradiance: sun.irradiance,
  })
  putAmbientMaterials(memory, materials, places.materials)
}

/** How the numbers of triangles lie in a memory. */
export const bitsIn = (memory: KernelMemory): TriangleBits => ({
  vertex: header(memory, 'vertexBits'),
  material: header(memory, 'materialBits'),
  words: header(memory, 'triangleBytes') / 4,
})

/** The centre of the scene in a memory. */
export function centreIn({ doubles }: KernelMemory): Vec3 {
  const [x, y, z] = doubles.subarray(CENTRE >>> 3, (CENTRE >>> 3) + 3)
  return [x!, y!, z!]
}

/** The extent of the scene in a memory. */
export function extentIn({ doubles }: KernelMemory): SceneExtent {
  const [x, y, z, diagonal] = doubles.subarray(EXTENT >>> 3, (EXTENT >>> 3) + 4)
  return { middle: [x!, y!, z!], diagonal: diagonal! }
}

export const align128 = (address: number): number => Math.ceil(address / 128) * 128
