/** Small files without a fault that have a little of everything, for tests that damage them. */
import { Document, NodeIO } from '@gltf-transform/core'
import draco from 'draco3dgltf'
import sharp from 'sharp'
import { type AnyGltf, FLOAT, type GltfParts, USHORT, viewsOf } from './gltf.ts'
import { ETC1S, plainKtx2, UASTC_ZSTD } from './ktx2.ts'

const UBYTE = 5121
const CORNERS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.25)
const INDICES = Uint16Array.of(0, 1, 2, 2, 1, 3)
const uri = (type: string, bytes: Uint8Array) => `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`

const picture = (format: 'png' | 'jpeg' | 'webp' | 'avif') =>
  sharp(
    Uint8Array.from({ length: 6 * 4 * 4 }, (_, i) => (i * 37) % 256),
    { raw: { width: 6, height: 4, channels: 4 } },
  )
    .toFormat(format)
    .toBuffer()

/** A square with textures of all kinds, every extension of materials, sparse, skinned, morphed, instanced and animated, lights and cameras. */
export async function everything(): Promise<GltfParts> {
  const png = await picture('png')
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  const { bufferViews, body } = viewsOf(
    ...[CORNERS, INDICES, Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1)],
    ...[Uint16Array.of(0, 0, 65535, 0, 0, 65535, 65535, 65535), new Float32Array(16).fill(0.5)],
    ...[Uint8Array.of(3), Float32Array.of(1, 1, 0.5), new Uint8Array(16), new Float32Array(16).fill(0.25)],
    ...[Float32Array.from([...identity, ...identity]), Float32Array.of(0, 0, 0, 2, 0, 0), new Uint8Array(png)],
    ...[Float32Array.of(0, 1), Float32Array.of(0, 0, 0, 1, 0, 1, 0, 0), Float32Array.of(0, 0, 0, 0.5, 1, 0)],
  )
  bufferViews[11] = { ...bufferViews[11], byteLength: png.length }
  const accessor = (bufferView: number, componentType: number, count: number, type: string, more: object = {}) => ({
    bufferView,
    componentType,
    count,
    type,
    ...more,
  })
  const sparse = { count: 1, indices: { bufferView: 5, componentType: UBYTE }, values: { bufferView: 6 } }
  const map = (index: number, more: object = {}) => ({ index, texCoord: 0, ...more })
  const transform = { KHR_texture_transform: { offset: [0.5, 0], rotation: 1, scale: [2, 1], texCoord: 0 } }
  const document: AnyGltf = {
    asset: { version: '2.0', generator: 'by hand' },
    extensionsUsed: ['KHR_texture_transform', 'KHR_texture_basisu', 'KHR_materials_clearcoat', 'KHR_lights_punctual'],
    extensionsRequired: ['KHR_texture_transform'],
    scene: 0,
    scenes: [{ name: 'all', nodes: [0, 2, 3, 4, 5, 6, 7] }],
    nodes: [
      { mesh: 0, name: 'sail', children: [1], translation: [0, 0, 1], rotation: [0, 0, 0, 1], scale: [1, 2, 1] },
      { mesh: 1, matrix: identity },
      { camera: 0, translation: [0, 0, 5] },
      { camera: 1, extensions: { KHR_lights_punctual: { light: 0 } } },
      { mesh: 0, skin: 0, weights: [0.5], extensions: { KHR_lights_punctual: { light: 1 } } },
      { name: 'joint', extensions: { KHR_lights_punctual: { light: 2 } } },
      { mesh: 1, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 10 } } } },
      { mesh: 0, skin: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 10 } } } },
    ],
    meshes: [
      {
        name: 'skinned',
        weights: [0.25],
        primitives: [
          {
            attributes: {
              POSITION: 5,
              NORMAL: 2,
              TEXCOORD_0: 3,
              COLOR_0: 4,
              JOINTS_0: 6,
              WEIGHTS_0: 7,
              JOINTS_1: 6,
              WEIGHTS_1: 7,
            },
            indices: 1,
            material: 0,
            targets: [{ POSITION: 0, NORMAL: 2, TEXCOORD_0: 3, COLOR_0: 4 }],
          },
        ],
      },
      { primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 3, TEXCOORD_1: 3 }, indices: 1, material: 1, mode: 4 }] },
    ],
    materials: [
      {
        name: 'paint',
        pbrMetallicRoughness: {
          baseColorFactor: [1, 0.5, 0.5, 0.5],
          metallicFactor: 0.5,
          roughnessFactor: 0.5,
          baseColorTexture: map(0, { extensions: transform }),
          metallicRoughnessTexture: map(1),
        },
        normalTexture: map(0, { scale: 0.5 }),
        occlusionTexture: map(2, { strength: 0.5 }),
        emissiveTexture: map(3),
        emissiveFactor: [1, 1, 0],
        alphaMode: 'MASK',
        alphaCutoff: 0.25,
        doubleSided: true,
      },
      {
        alphaMode: 'BLEND',
        extensions: {
          KHR_materials_anisotropy: { anisotropyStrength: 0.5, anisotropyRotation: 1, anisotropyTexture: map(4) },
          KHR_materials_clearcoat: {
            clearcoatFactor: 1,
            clearcoatRoughnessFactor: 0.5,
            clearcoatTexture: map(5),
            clearcoatNormalTexture: map(6, { scale: 2 }),
          },
          KHR_materials_dispersion: { dispersion: 0.1 },
          KHR_materials_emissive_strength: { emissiveStrength: 3 },
          KHR_materials_ior: { ior: 1.4 },
          KHR_materials_iridescence: { iridescenceFactor: 1, iridescenceThicknessMaximum: 300 },
          KHR_materials_sheen: { sheenColorFactor: [1, 0, 0], sheenRoughnessFactor: 0.5 },
          KHR_materials_specular: { specularFactor: 0.5, specularColorFactor: [1, 2, 1], specularTexture: map(7) },
          KHR_materials_transmission: { transmissionFactor: 0.5 },
          KHR_materials_volume: { thicknessFactor: 1, attenuationDistance: 2, attenuationColor: [1, 0.5, 1] },
        },
      },
    ],
    textures: [
      { source: 0, sampler: 0 },
      ...[1, 2, 3].map(source => ({ source })),
      { extensions: { KHR_texture_basisu: { source: 4 } } },
      { extensions: { EXT_texture_webp: { source: 2 } } },
      ...[5, 6].map(source => ({ source })),
    ],
    samplers: [{ magFilter: 9728, minFilter: 9985, wrapS: 33071, wrapT: 33648 }],
    images: [
      { bufferView: 11, mimeType: 'image/png', name: 'inside' },
      { uri: uri('jpeg', await picture('jpeg')) },
      { uri: uri('webp', await picture('webp')) },
      { uri: uri('avif', await picture('avif')) },
      { uri: uri('ktx2', ETC1S) },
      { uri: uri('ktx2', UASTC_ZSTD) },
      { uri: uri('ktx2', plainKtx2(43, [2, 1], Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 255))) },
    ],
    cameras: [
      { type: 'perspective', perspective: { yfov: 1, znear: 0.1, zfar: 100, aspectRatio: 1.5 } },
      { type: 'orthographic', orthographic: { xmag: 2, ymag: 2, znear: 0, zfar: 10 } },
    ],
    skins: [{ joints: [5, 0], inverseBindMatrices: 8 }],
    animations: [
      {
        name: 'turn',
        samplers: [
          { input: 11, output: 12 },
          { input: 11, output: 10, interpolation: 'STEP' },
          { input: 11, output: 13, interpolation: 'CUBICSPLINE' },
          { input: 11, output: 11 },
        ],
        channels: [
          { sampler: 0, target: { node: 5, path: 'rotation' } },
          { sampler: 1, target: { node: 0, path: 'translation' } },
          { sampler: 2, target: { node: 4, path: 'weights' } },
          ...[
            '/materials/0/pbrMetallicRoughness/metallicFactor',
            '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/rotation',
            '/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle',
            '/cameras/0/perspective/znear',
            '/nodes/1/extensions/KHR_node_visibility/visible',
          ].map(pointer => ({
            sampler: 3,
            target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } },
          })),
        ],
      },
    ],
    accessors: [
      accessor(0, FLOAT, 4, 'VEC3', { min: [0, 0, 0], max: [1, 1, 0.25] }),
      accessor(1, USHORT, 6, 'SCALAR'),
      accessor(2, FLOAT, 4, 'VEC3'),
      accessor(3, USHORT, 4, 'VEC2', { normalized: true }),
      accessor(4, FLOAT, 4, 'VEC4'),
      accessor(0, FLOAT, 4, 'VEC3', { sparse }),
      accessor(7, UBYTE, 4, 'VEC4'),
      accessor(8, FLOAT, 4, 'VEC4'),
      accessor(9, FLOAT, 2, 'MAT4'),
      accessor(10, FLOAT, 6, 'SCALAR', { max: [2] }),
      accessor(10, FLOAT, 2, 'VEC3'),
      accessor(12, FLOAT, 2, 'SCALAR', { max: [1] }),
      accessor(13, FLOAT, 2, 'VEC4'),
      accessor(14, FLOAT, 6, 'SCALAR'),
    ],
    bufferViews,
    buffers: [{ byteLength: body.length }],
    extensions: {
      KHR_lights_punctual: {
        lights: [
          {
            type: 'spot',
            color: [1, 1, 1],
            intensity: 5,
            range: 10,
            spot: { innerConeAngle: 0.1, outerConeAngle: 0.5 },
          },
          { type: 'directional', intensity: 2, name: 'sun' },
          { type: 'point' },
        ],
      },
    },
  }
  return { document, body }
}

/** The same square in a mesh of Draco data. */
export async function dracoSquare(): Promise<GltfParts> {
  const encoderModule = await draco.createEncoderModule({})
  const encoder = new encoderModule.Encoder()
  const builder = new encoderModule.MeshBuilder()
  const mesh = new encoderModule.Mesh()
  builder.AddFacesToMesh(mesh, INDICES.length / 3, Uint32Array.from(INDICES))
  builder.AddFloatAttribute(mesh, encoderModule.POSITION, CORNERS.length / 3, 3, CORNERS)
  encoder.SetAttributeQuantization(encoderModule.POSITION, 8)
  const encoded = new encoderModule.DracoInt8Array()
  const length = encoder.EncodeMeshToDracoBuffer(mesh, encoded)
  const bytes = Uint8Array.from({ length }, (_, i) => encoded.GetValue(i))
  for (const object of [encoded, mesh, builder, encoder]) encoderModule.destroy(object)
  const { bufferViews, body } = viewsOf(bytes)
  const compressed = { bufferView: 0, attributes: { POSITION: 0 } }
  return {
    document: {
      ...PLAIN,
      extensionsUsed: ['KHR_draco_mesh_compression'],
      extensionsRequired: ['KHR_draco_mesh_compression'],
      meshes: [
        {
          primitives: [
            { attributes: { POSITION: 0 }, indices: 1, extensions: { KHR_draco_mesh_compression: compressed } },
          ],
        },
      ],
      accessors: [
        { componentType: FLOAT, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0.25] },
        { componentType: USHORT, count: 6, type: 'SCALAR' },
      ],
      bufferViews,
      buffers: [{ byteLength: body.length }],
    },
    body,
  }
}

const PLAIN = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }] }

/** 25 positions and 96 indices of a wavy sheet, made with the encoder of meshoptimizer 1.1. */
const MESHOPT_POSITIONS = Buffer.from(
  'oAAABwD//4CA////gID///+AgP///8AA//+AgP///4CABTg+D4N+f35/fn/g+AAAfn9+AAAFADAMA///gADAAACAAQAwCAB+BwC3JhgYVSYYGIKxGBiC' +
    '+G7//8AAGIL4i+2C+IueBwDUuot4pbqLeIGWi3iB2eT//8AAeIHZQuWB2UIsBwCuIq9iLCKvYmgZr2JoNP3//8AAYmg0zTJoNM2qBTHxzcd+/f/9//3/' +
    'x8cAAP39//0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==',
  'base64',
)
const MESHOPT_INDICES = Buffer.from('4f4eEA4QDhAOzh4WDhUOFA7OHhQOFA4UDs4eFA4UDhQODwoAdodWZ3iphmWJaJgBaQAA', 'base64')

/** A sheet in buffer views of meshopt data. */
export function meshoptSheet(): GltfParts {
  const { bufferViews, body } = viewsOf(MESHOPT_POSITIONS, MESHOPT_INDICES)
  const view = (part: object, count: number, byteStride: number, mode: string) => ({
    buffer: 1,
    byteLength: count * byteStride,
    extensions: { EXT_meshopt_compression: { ...part, count, byteStride, mode, filter: 'NONE' } },
  })
  return {
    document: {
      ...PLAIN,
      extensionsUsed: ['EXT_meshopt_compression'],
      extensionsRequired: ['EXT_meshopt_compression'],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: FLOAT, count: 25, type: 'VEC3' },
        { bufferView: 1, componentType: USHORT, count: 96, type: 'SCALAR' },
      ],
      bufferViews: [view(bufferViews[0]!, 25, 12, 'ATTRIBUTES'), view(bufferViews[1]!, 96, 2, 'TRIANGLES')],
      buffers: [
        { byteLength: body.length },
        { byteLength: 500, extensions: { EXT_meshopt_compression: { fallback: true } } },
      ],
    },
    body,
  }
}

/** A square as a widely used library writes it. */
export async function writtenByLibrary(): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const position = document.createAccessor().setType('VEC3').setArray(CORNERS).setBuffer(buffer)
  const indices = document.createAccessor().setType('SCALAR').setArray(INDICES).setBuffer(buffer)
  const texture = document
    .createTexture('paint')
    .setMimeType('image/png')
    .setImage(new Uint8Array(await picture('png')))
  const material = document.createMaterial('paint').setBaseColorTexture(texture)
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', position)
    .setIndices(indices)
    .setMaterial(material)
  const node = document.createNode('square').setMesh(document.createMesh('square').addPrimitive(primitive))
  document.createScene('only').addChild(node)
  return new NodeIO().writeBinary(document)
}

/** The same as a document and its bytes, to be damaged apart. */
export function partsOf(bytes: Uint8Array): GltfParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 20 + view.getUint32(12, true)
  const document: AnyGltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, end)))
  return { document, body: bytes.slice(end + 8) }
}

/** All of them, by name. */
export async function wholeGltfs(): Promise<ReadonlyMap<string, GltfParts>> {
  return new Map([
    ['everything', await everything()],
    ['draco', await dracoSquare()],
    ['meshopt', meshoptSheet()],
    ['by a library', partsOf(await writtenByLibrary())],
  ])
}
