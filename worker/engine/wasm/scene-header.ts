/** Writes what the kernel needs to know about a packed scene in its memory: the scene header and the material table. */
import type { Material } from '../../../shared/scene/material.ts'
import { type PackedScene, packedBytes, triangleCount, viewsOf } from '../../../shared/scene/packed-layout.ts'
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
import type { KernelMemory } from './memory.ts'

const KINDS: Readonly<Record<Material['kind'], number>> = { matte: MATTE, coated: COATED, mirror: MIRROR, glass: GLASS }

/** Addresses of the packed scene, the material table and what follows them. */
export interface ScenePlaces {
  readonly scene: number
  readonly materials: number
  /** The first address after both, a multiple of 128. */
  readonly end: number
}

export function placesOf(scene: PackedScene): ScenePlaces {
  const materials = align128(FIRST_FREE + scene.bytes.length)
  return { scene: FIRST_FREE, materials, end: align128(materials + scene.materials.length * MATERIAL_BYTES) }
}

/** Copies a packed scene to its address, and writes header and materials. */
export function putScene(memory: KernelMemory, scene: PackedScene, places: ScenePlaces): void {
  memory.bytes.set(scene.bytes, places.scene)
  const { words } = memory
  const put = (at: number, value: number) => {
    words[(SCENE + at) >> 2] = value
  }
  const addressOf = (array: { readonly byteOffset: number }) => places.scene + array.byteOffset - scene.bytes.byteOffset
  put(SCENE_POSITIONS, addressOf(scene.positions))
  put(SCENE_NORMALS, addressOf(scene.normals))
  put(SCENE_INDICES, addressOf(scene.indices))
  put(SCENE_MATERIAL_IDS, addressOf(scene.materialIds))
  put(SCENE_TRIANGLES, triangleCount(scene))
  put(SCENE_VERTICES, scene.positions.length / 3)
  put(SCENE_MATERIALS, places.materials)
  put(SCENE_MATERIAL_COUNT, scene.materials.length)
  const { sky, sun } = scene
  memory.doubles.set([...sky.zenith, ...sky.horizon, ...sky.ground], (SCENE + SCENE_SKY) >> 3)
  memory.doubles.set([...sun.direction, ...sun.irradiance], (SCENE + SCENE_SUN) >> 3)
  scene.materials.forEach((material, i) => {
    putMaterial(memory, places.materials + i * MATERIAL_BYTES, material)
  })
}

/** Views of the packed scene in a memory; they stay valid when it grows. */
export function packedSceneIn({ bytes }: KernelMemory): PackedScene {
  return viewsOf(bytes.subarray(FIRST_FREE, FIRST_FREE + packedBytes(bytes.subarray(FIRST_FREE))))
}

function putMaterial({ words, doubles }: KernelMemory, at: number, material: Material): void {
  words[(at + MATERIAL_KIND) >> 2] = KINDS[material.kind]
  doubles.set(material.color, (at + MATERIAL_COLOR) >> 3)
  doubles[(at + MATERIAL_IOR) >> 3] = 'ior' in material ? material.ior : 1
}

export const align128 = (address: number): number => Math.ceil(address / 128) * 128
