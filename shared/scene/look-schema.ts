/** What the look of a packed scene may contain. */
import * as z from 'zod'
import { ALPHA_MODES, MAP_NAMES } from './material.ts'
import { MESH_WORDS, SECTION_NAMES } from './scene-arrays.ts'
import { OTHERS } from './scene-names.ts'
import { MAX_TEXTURE_FACTOR, MAX_TEXTURE_SIDE, WRAPS } from './texture.ts'

/** Limits of an environment map: enough for the largest that are published. */
export const MAX_ENVIRONMENT = [16384, 8192] as const

/** Brightest light of any kind: light is added up in exact sums, as long as no product of colours overflows. */
export const MAX_RADIANCE = 1e12

/** How far the squared length of a unit vector may be from 1, and the cosine of a right angle from 0. */
export const UNIT_TOLERANCE = 1e-3

export const isUnit = (x: number, y: number, z: number): boolean =>
  Math.abs(x * x + y * y + z * z - 1) <= UNIT_TOLERANCE

/** The thickest film whose colours are computed, nm, the strongest reflection, and the strongest dispersion. */
export const MAX_FILM = 1e5
export const MAX_SPECULAR = 100
export const MAX_DISPERSION = 100

const share = z.number().min(0).max(1)
const vec3 = (coordinate: z.ZodNumber) => z.tuple([coordinate, coordinate, coordinate])
const color = vec3(share)
const light = vec3(z.number().min(0).max(MAX_RADIANCE))
const coordinate = z.number().min(-1e12).max(1e12)
const position = vec3(coordinate)
const unit = position.refine(([x, y, z]) => isUnit(x, y, z), 'expected a unit vector')
const radius = z.number().min(0).max(1e12)
const cosine = z.number().min(-1).max(1)

const factor = z.number().min(-MAX_TEXTURE_FACTOR).max(MAX_TEXTURE_FACTOR)
const textureUseSchema = z.object({
  texture: z.int().min(0).max(65535),
  set: z.union([z.literal(0), z.literal(1)]),
  transform: z.tuple([factor, factor, factor, factor, factor, factor]),
})

const normalScale = z.tuple([factor, factor])
const thickness = z.number().min(0).max(MAX_FILM)

const materialSchema = z.object({
  color,
  unlit: z.boolean(),
  alpha: z.enum(ALPHA_MODES),
  opacity: share,
  alphaCutoff: z.number().min(0).max(2),
  culled: z.boolean(),
  metallic: share,
  roughness: share,
  ior: z.number().min(1).max(4),
  specular: share,
  specularColor: vec3(z.number().min(0).max(MAX_SPECULAR)),
  transmission: share,
  thin: z.boolean(),
  absorption: light,
  dispersion: z.number().min(0).max(MAX_DISPERSION),
  coat: share,
  coatRoughness: share,
  sheenColor: color,
  sheenRoughness: share,
  anisotropy: share,
  anisotropyRotation: share,
  iridescence: share,
  iridescenceIor: z.number().min(1).max(4),
  iridescenceThickness: z.tuple([thickness, thickness]),
  normalScale,
  coatNormalScale: normalScale,
  occlusion: share,
  emission: light,
  maps: z.strictObject(Object.fromEntries(MAP_NAMES.map(name => [name, textureUseSchema.optional()]))),
  label: z.int().min(0).max(OTHERS).exactOptional(),
})

const side = z.int().min(1).max(MAX_TEXTURE_SIDE)
const textureSchema = z.object({
  width: side,
  height: side,
  wrapU: z.enum(WRAPS),
  wrapV: z.enum(WRAPS),
  srgb: z.boolean(),
  nearest: z.boolean(),
})

const lightSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('distant'),
    direction: unit,
    irradiance: light,
    angle: z.number().min(0).max(0.5),
  }),
  z.object({ kind: z.literal('point'), position, intensity: light, radius }),
  z
    .object({
      kind: z.literal('spot'),
      position,
      direction: unit,
      intensity: light,
      radius,
      innerCosine: cosine,
      outerCosine: cosine,
      falloff: z.literal('squared').exactOptional(),
    })
    .refine(
      ({ innerCosine, outerCosine }) => innerCosine >= outerCosine,
      'expected an inner cone inside the outer one',
    ),
  z
    .object({ kind: z.literal('rectangle'), position, across: position, up: position, radiance: light })
    .refine(({ across, up }) => areSides(across, up), 'expected sides of a rectangle'),
])

const environmentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sky'), zenith: light, horizon: light, ground: light }),
  z.object({
    kind: z.literal('map'),
    width: z.int().min(1).max(MAX_ENVIRONMENT[0]),
    height: z.int().min(1).max(MAX_ENVIRONMENT[1]),
    intensity: z.number().min(0).max(1e6),
    rotation: z.number().min(-1).max(1),
  }),
])

/** Most meshes, and most instances: reading a packed scene creates an object for each. */
export const MAX_OBJECTS = 2 ** 20

const length = z.int().nonnegative()

export const headSchema = z.object({
  materials: z.array(materialSchema).min(1).max(65536),
  textures: z.array(textureSchema).max(65536),
  lights: z.array(lightSchema).max(65536),
  environment: environmentSchema,
  centre: vec3(z.number().min(-3e38).max(3e38)),
  lengths: z.object({
    ...Object.fromEntries(SECTION_NAMES.map(name => [name, length])),
    meshes: length.multipleOf(MESH_WORDS).max(MAX_OBJECTS * MESH_WORDS),
    placements: length.max(MAX_OBJECTS),
  }),
})

type Vector = readonly [number, number, number]

/** Whether both have a length and they meet at a right angle. */
function areSides(a: Vector, b: Vector): boolean {
  const [aa, bb, ab] = [dot(a, a), dot(b, b), dot(a, b)]
  return aa > 0 && bb > 0 && Math.abs(ab) <= UNIT_TOLERANCE * Math.sqrt(aa) * Math.sqrt(bb)
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
