/**
 * The records of a scene and a view that shaders read, in floats: of the kernel's the fields that they use, by the same names. View and scene are in
 * uniform buffers. All others lie in one array of words, `tables`, because a device binds few buffers: an address is an index in it, or, of texels and of
 * what vertices have besides, in `texels` and `attributes`. As in the kernel 0 means none.
 *
 *     let light = read_light(scene.lights + i * LIGHT_WORDS);
 *
 * Of a texture, its levels lie behind it: `read_level(texture + TEXTURE_WORDS + number * LEVEL_WORDS)`. Lists of numbers are read by `float_at` and from
 * `tables`.
 */

import { OBJECT_RUN } from '../../wasm/records/instances.ts'
import { CHOICE, LIGHT, LIGHT_BOX, LIGHT_CONE, LIGHT_NODE, LIT_TRIANGLE, TREE_LIGHT } from '../../wasm/records/light.ts'
import { MATERIAL, MEDIUM, TEXTURE_USE } from '../../wasm/records/material.ts'
import { LIGHT_GROUP, SCENE } from '../../wasm/records/scene.ts'
import { LEVEL, TEXTURE } from '../../wasm/records/texture.ts'
import { VIEW } from '../../wasm/records/view.ts'
import { deviceRecord } from '../device-record.ts'

/** Where in `tables` the light of each of 256 sRGB bytes is. */
export const LINEARS_AT = 4
export const LINEARS = 256

/** All fields of a record. */
const all = <F extends object>({ fields }: { readonly fields: F }) => Object.keys(fields) as (keyof F & string)[]

export const DEVICE_VIEW = deviceRecord(VIEW, all(VIEW))

const DEVICE_LIGHT_GROUP = deviceRecord(LIGHT_GROUP, all(LIGHT_GROUP), ['choices'])

/** Addresses in the header, of sections that a device has. */
const SECTIONS = [
  'materials',
  'lights',
  'litTriangles',
  'cells',
  'lightTree',
  'lightBoxes',
  'lightCones',
  'treeLights',
  'leaves',
  'map',
  'gridFacings',
  'gridBlocks',
  'colors',
  'uv',
  'uv2',
  'tangents',
  'albedos',
  'media',
  'outers',
  'objects',
] as const

export const DEVICE_SCENE = deviceRecord(
  SCENE,
  [
    'skyZenith',
    'skyHorizon',
    'skyGround',
    'sunDirection',
    'sunIrradiance',
    ...SECTIONS,
    'lightCount',
    'litCount',
    'mapWidth',
    'mapHeight',
    'gridWidth',
    'gridHeight',
    'mapIntensity',
    'mapRotation',
    'mapProbability',
    'lamps',
    'passing',
    'mediaCount',
    'touching',
    'textured',
    'bakedCount',
    'triangleBytes',
    'vertexBits',
    'materialBits',
    'objectCount',
    'meshTangents',
    'groups',
  ],
  SECTIONS,
  { groups: DEVICE_LIGHT_GROUP },
)

export const DEVICE_MATERIAL = deviceRecord(MATERIAL, all(MATERIAL), ['maps', 'albedo'])
export const DEVICE_TEXTURE_USE = deviceRecord(TEXTURE_USE, all(TEXTURE_USE), ['texture'])
export const DEVICE_TEXTURE = deviceRecord(TEXTURE, ['wrapU', 'wrapV', 'flags', 'levelCount'])
export const DEVICE_LEVEL = deviceRecord(LEVEL, all(LEVEL), ['blocks'])
export const DEVICE_LIGHT = deviceRecord(LIGHT, all(LIGHT))
export const DEVICE_CHOICE = deviceRecord(CHOICE, all(CHOICE))
export const DEVICE_LIGHT_NODE = deviceRecord(LIGHT_NODE, all(LIGHT_NODE))
export const DEVICE_LIGHT_BOX = deviceRecord(LIGHT_BOX, all(LIGHT_BOX))
export const DEVICE_LIGHT_CONE = deviceRecord(LIGHT_CONE, all(LIGHT_CONE))
export const DEVICE_TREE_LIGHT = deviceRecord(TREE_LIGHT, all(TREE_LIGHT))
export const DEVICE_LIT_TRIANGLE = deviceRecord(LIT_TRIANGLE, all(LIT_TRIANGLE))
export const DEVICE_MEDIUM = deviceRecord(MEDIUM, all(MEDIUM))
export const DEVICE_OBJECT_RUN = deviceRecord(OBJECT_RUN, all(OBJECT_RUN))

const IN_TABLES = [
  DEVICE_MATERIAL,
  DEVICE_TEXTURE_USE,
  DEVICE_TEXTURE,
  DEVICE_LEVEL,
  DEVICE_LIGHT,
  DEVICE_CHOICE,
  DEVICE_LIGHT_NODE,
  DEVICE_LIGHT_BOX,
  DEVICE_LIGHT_CONE,
  DEVICE_TREE_LIGHT,
  DEVICE_LIT_TRIANGLE,
  DEVICE_MEDIUM,
  DEVICE_OBJECT_RUN,
]

/** Declares the structs, and how those in `tables` are read. */
export const RECORDS = [
  ...[DEVICE_VIEW, DEVICE_LIGHT_GROUP, DEVICE_SCENE, ...IN_TABLES].map(({ wgsl }) => wgsl),
  'fn float_at(at: u32) -> f32 {\n  return bitcast<f32>(tables[at]);\n}\n',
  ...IN_TABLES.map(({ reader }) => reader),
].join('')
