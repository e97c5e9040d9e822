import { describe, expect, it } from 'vitest'
import { vertexCount } from '../../../../shared/scene/description.ts'
import { FLOAT, type GltfParts, type Numbers, triangle, viewsOf } from '../../../support/gltf.ts'
import { gltfFolder, round } from './gltf-scenes.ts'

const { traced } = gltfFolder()

const PLAIN = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
]

/** The triangle with positions in another form. */
function positions(accessor: object, view: object, bytes: Numbers) {
  const { bufferViews, body } = viewsOf(bytes, Uint16Array.of(0, 1, 2))
  const { document } = triangle()
  Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
  Object.assign(document.accessors[0], accessor)
  Object.assign(document.bufferViews[0], view)
  return { document, body }
}

describe('accessors', () => {
  it.each<[string, () => GltfParts]>([
    ['of integers', () => positions({ componentType: 5122 }, {}, Int16Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0))],
    [
      'of normalised integers',
      () =>
        positions(
          { componentType: 5121, normalized: true },
          { byteStride: 4 },
          Uint8Array.of(0, 0, 0, 9, 255, 0, 0, 9, 0, 255, 0),
        ),
    ],
    [
      'side by side with others, the last without padding',
      () => positions({ byteOffset: 4 }, { byteStride: 16 }, Float32Array.of(7, 0, 0, 0, 7, 1, 0, 0, 7, 0, 1, 0)),
    ],
    [
      'with elements replaced',
      () => {
        const { bufferViews, body } = viewsOf(
          Float32Array.of(0, 0, 0, 9, 9, 9, 0, 1, 0),
          Uint16Array.of(0, 1, 2),
          Uint8Array.of(1),
          Float32Array.of(1, 0, 0),
        )
        const { document } = triangle()
        Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
        document.accessors[0].sparse = {
          count: 1,
          indices: { bufferView: 2, componentType: 5121 },
          values: { bufferView: 3 },
        }
        return { document, body }
      },
    ],
    [
      'of zeros with elements replaced',
      () => {
        const { bufferViews, body } = viewsOf(
          Uint8Array.of(1, 2),
          Uint16Array.of(0, 1, 2),
          Float32Array.of(1, 0, 0, 0, 1, 0),
        )
        const { document } = triangle()
        Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
        document.accessors[0].bufferView = undefined
        document.accessors[0].sparse = {
          count: 2,
          indices: { bufferView: 0, componentType: 5121 },
          values: { bufferView: 2 },
        }
        return { document, body }
      },
    ],
    [
      'interleaved, with elements replaced',
      () => {
        const { bufferViews, body } = viewsOf(
          Float32Array.of(0, 0, 0, 7, 9, 9, 9, 7, 0, 1, 0, 7),
          Uint16Array.of(0, 1, 2),
          Uint8Array.of(1),
          Float32Array.of(1, 0, 0),
        )
        const { document } = triangle()
        Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
        document.bufferViews[0].byteStride = 16
        document.accessors[0].sparse = {
          count: 1,
          indices: { bufferView: 2, componentType: 5121 },
          values: { bufferView: 3 },
        }
        return { document, body }
      },
    ],
    ['as a strip', () => triangle(document => Object.assign(document.meshes[0].primitives[0], { mode: 5 }))],
    ['as a fan', () => triangle(document => Object.assign(document.meshes[0].primitives[0], { mode: 6 }))],
    [
      'without indices',
      () => triangle(document => Object.assign(document.meshes[0].primitives[0], { indices: undefined })),
    ],
  ])('%s', async (_, parts) => {
    expect((await traced(parts())).corners(0)).toEqual(PLAIN)
  })

  it('of normals, tangents, texture coordinates and colours reach the description of materials that will use them', async () => {
    const { bufferViews, body } = viewsOf(
      Float32Array.from(PLAIN.flat()),
      Uint16Array.of(0, 1, 2),
      Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
      Float32Array.of(1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, 1),
      Float32Array.of(0, 0, 1, 0, 0, Number.NaN),
      Uint8Array.of(255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 51, 0),
    )
    const { document } = triangle()
    bufferViews[5] = { ...bufferViews[5], byteStride: 4 }
    Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
    const [position, indices] = document.accessors
    document.accessors = [
      ...[position, indices],
      ...['VEC3', 'VEC4', 'VEC2'].map((type, i) => ({ bufferView: 2 + i, componentType: FLOAT, count: 3, type })),
      { bufferView: 5, componentType: 5121, normalized: true, count: 3, type: 'VEC3' },
    ]
    document.meshes[0].primitives[0].attributes = {
      POSITION: 0,
      NORMAL: 2,
      TANGENT: 3,
      TEXCOORD_0: 4,
      TEXCOORD_1: 4,
      COLOR_0: 5,
    }
    document.meshes[0].primitives[0].material = 0
    const texture = { index: 0 }
    document.materials = [
      {
        pbrMetallicRoughness: { baseColorTexture: texture, metallicRoughnessTexture: { index: 1 } },
        normalTexture: { index: 1, texCoord: 1 },
        emissiveTexture: texture,
        emissiveFactor: [1, 1, 1],
        alphaMode: 'MASK',
      },
    ]
    document.textures = [{ source: 0 }, { extensions: { KHR_texture_basisu: { source: 1 } } }]
    document.images = [{ uri: 'nowhere.png' }, { uri: 'https://example.org/x.ktx2' }]
    const { description, problems } = await traced({ document, body })
    const [mesh] = description.meshes
    expect(mesh!.attributes).toEqual(['position', 'normal', 'tangent', 'uv', 'uv2', 'color'])
    expect(vertexCount(mesh!)).toBe(3)
    expect([...mesh!.vertices.subarray(36)].map(round)).toEqual([
      0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0.2, 1,
    ])
    expect(description.materials[0]).toMatchObject({ emission: [1, 1, 1], alpha: 'mask' })
    // What cannot be read is white; of normals there is then nothing.
    expect(Object.keys(description.materials[0]!.maps).sort()).toEqual(['color', 'emission', 'metallic', 'roughness'])
    expect(problems).toEqual([
      "image 0 ('nowhere.png') is shown white: its file was not found, got 'nowhere.png'",
      "image 1 ('https://example.org/x.ktx2') is shown white: expected a file in the folder of the scene, because nothing is fetched, got 'https://example.org/x.ktx2'",
    ])
  })
})
