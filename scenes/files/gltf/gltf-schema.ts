/**
 * What is read of a glTF 2.0 document. Everything else, such as `extras`, is left out, so that what is handed on to three's loader is
 * known to have the right shape. References are checked in `gltf-check.ts`, bytes where they are read.
 */
import * as z from 'zod'
import { index, material, name, numbers } from './gltf-material-schema.ts'

const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Components of an accessor's elements. */
export const ELEMENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const
const ELEMENT_TYPES = ['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'] as const

const componentType = z.literal([5120, 5121, 5122, 5123, 5125, 5126])

const sparse = z.object({
  count: z.int().min(1).max(0xffffffff),
  indices: z.object({
    bufferView: index,
    byteOffset: bytes.exactOptional(),
    componentType: z.literal([5121, 5123, 5125]),
  }),
  values: z.object({ bufferView: index, byteOffset: bytes.exactOptional() }),
})

const accessor = z.object({
  max: z.unknown().optional(),
  bufferView: index.exactOptional(),
  byteOffset: bytes.exactOptional(),
  componentType,
  normalized: z.boolean().exactOptional(),
  count: z.int().min(1).max(0xffffffff),
  type: z.enum(ELEMENT_TYPES),
  sparse: sparse.exactOptional(),
})

const meshopt = z.object({
  buffer: index,
  byteOffset: bytes.exactOptional(),
  byteLength: bytes,
  byteStride: z.int().min(1).max(256),
  count: z.int().min(0).max(0xffffffff),
  mode: z.enum(['ATTRIBUTES', 'TRIANGLES', 'INDICES']),
  filter: z.enum(['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR']).exactOptional(),
})

const bufferView = z.object({
  buffer: index,
  byteOffset: bytes.exactOptional(),
  byteLength: bytes,
  byteStride: z.int().min(1).max(65536).exactOptional(),
  extensions: z
    .object({ EXT_meshopt_compression: meshopt.exactOptional(), KHR_meshopt_compression: meshopt.exactOptional() })
    .exactOptional(),
})

const attributes = z.record(z.string(), index)

const primitive = z.object({
  attributes,
  indices: index.exactOptional(),
  material: index.exactOptional(),
  mode: z.int().min(0).max(6).exactOptional(),
  targets: z.array(attributes).exactOptional(),
  extensions: z
    .object({
      KHR_draco_mesh_compression: z.object({ bufferView: index, attributes }).exactOptional(),
      KHR_materials_variants: z
        .object({ mappings: z.array(z.object({ material: index, variants: z.array(index) })) })
        .exactOptional(),
    })
    .exactOptional(),
})

const camera = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('perspective'),
    name,
    perspective: z.object({
      yfov: z.number().positive().lt(Math.PI),
      znear: z.number().positive(),
      zfar: z.number().positive().exactOptional(),
      aspectRatio: z.number().positive().exactOptional(),
    }),
  }),
  z.object({
    type: z.literal('orthographic'),
    name,
    orthographic: z.object({
      xmag: z.number(),
      ymag: z.number(),
      znear: z.number().min(0),
      zfar: z.number().positive(),
    }),
  }),
])

const light = z.object({
  name,
  type: z.enum(['directional', 'point', 'spot']),
  color: z.array(z.number().min(0)).length(3).exactOptional(),
  intensity: z.number().min(0).exactOptional(),
  range: z.number().positive().exactOptional(),
  spot: z
    .object({
      innerConeAngle: z.number().min(0).max(Math.PI).exactOptional(),
      outerConeAngle: z.number().positive().max(Math.PI).exactOptional(),
    })
    .exactOptional(),
})

const node = z.object({
  name,
  mesh: index.exactOptional(),
  camera: index.exactOptional(),
  skin: index.exactOptional(),
  children: z.array(index).exactOptional(),
  matrix: numbers(16).exactOptional(),
  translation: numbers(3).exactOptional(),
  rotation: numbers(4).exactOptional(),
  scale: numbers(3).exactOptional(),
  weights: z.array(z.number()).exactOptional(),
  extensions: z
    .object({
      KHR_lights_punctual: z.object({ light: index }).exactOptional(),
      EXT_mesh_gpu_instancing: z.object({ attributes }).exactOptional(),
      KHR_node_visibility: z.object({ visible: z.boolean().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
})

const animation = z.object({
  name,
  samplers: z
    .array(
      z.object({
        input: index,
        output: index,
        interpolation: z.enum(['LINEAR', 'STEP', 'CUBICSPLINE']).exactOptional(),
      }),
    )
    .default([]),
  channels: z
    .array(
      z.object({
        sampler: index,
        target: z.object({
          node: index.exactOptional(),
          path: z.string(),
          extensions: z
            .object({ KHR_animation_pointer: z.object({ pointer: z.string() }).exactOptional() })
            .exactOptional(),
        }),
      }),
    )
    .default([]),
})

const imageSource = z.object({ source: index.exactOptional() }).exactOptional()

export const gltfSchema = z.object({
  asset: z.object({ version: z.string().regex(/^2\.\d+$/, 'expected a 2.x version of glTF') }),
  extensionsUsed: z.array(z.string()).exactOptional(),
  extensionsRequired: z.array(z.string()).exactOptional(),
  scene: index.exactOptional(),
  scenes: z.array(z.object({ name, nodes: z.array(index).exactOptional() })).exactOptional(),
  nodes: z.array(node).default([]),
  meshes: z
    .array(z.object({ name, primitives: z.array(primitive).min(1), weights: z.array(z.number()).exactOptional() }))
    .default([]),
  materials: z.array(material).default([]),
  textures: z
    .array(
      z.object({
        name,
        sampler: index.exactOptional(),
        source: index.exactOptional(),
        extensions: z
          .object({ EXT_texture_webp: imageSource, EXT_texture_avif: imageSource, KHR_texture_basisu: imageSource })
          .exactOptional(),
      }),
    )
    .default([]),
  samplers: z
    .array(
      z.object({ magFilter: z.int().exactOptional(), wrapS: z.int().exactOptional(), wrapT: z.int().exactOptional() }),
    )
    .default([]),
  images: z
    .array(z.object({ name, uri: z.string().exactOptional(), bufferView: index.exactOptional(), mimeType: name }))
    .default([]),
  cameras: z.array(camera).default([]),
  skins: z.array(z.object({ joints: z.array(index).min(1), inverseBindMatrices: index.exactOptional() })).default([]),
  animations: z.array(animation).default([]),
  accessors: z.array(accessor).default([]),
  bufferViews: z.array(bufferView).default([]),
  buffers: z.array(z.object({ uri: z.string().exactOptional(), byteLength: bytes })).default([]),
  extensions: z
    .object({
      KHR_lights_punctual: z.object({ lights: z.array(light) }).exactOptional(),
      KHR_materials_variants: z.object({ variants: z.array(z.object({ name })) }).exactOptional(),
    })
    .exactOptional(),
})

export type Gltf = z.infer<typeof gltfSchema>
export type GltfPrimitive = Gltf['meshes'][number]['primitives'][number]
export type GltfAccessor = Gltf['accessors'][number]
