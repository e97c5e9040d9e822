/** Pictures of glTF files: decoded wherever they are, white with a warning where that is not possible. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { DiskFolder } from '../../../../scenes/files/folders/scene-folder.ts'
import { GltfAccessors } from '../../../../scenes/files/gltf/gltf-accessors.ts'
import { GltfBuffers } from '../../../../scenes/files/gltf/gltf-files.ts'
import { GltfImages } from '../../../../scenes/files/gltf/gltf-images.ts'
import type { Gltf } from '../../../../scenes/files/gltf/gltf-schema.ts'
import { offsetOf } from '../../../../shared/scene/description.ts'
import { type AnyGltf, type GltfParts, triangle, viewsOf } from '../../../support/gltf.ts'
import { UASTC } from '../../../support/ktx2.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { root, folder, traced } = gltfFolder()

const [width, height] = [3, 2]
const pixels = Uint8Array.from({ length: width * height * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 53) % 256))
const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
  .png()
  .toBuffer()
const dataUri = `data:image/png;base64,${png.toString('base64')}`

/** A triangle with texture coordinates in a material with textures of the given images. */
function textured(images: readonly object[], change: (document: AnyGltf) => void = () => {}): GltfParts {
  const { bufferViews, body } = viewsOf(
    ...[Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint16Array.of(0, 1, 2)],
    ...[Float32Array.of(0, 1, 1, 1, 0, 0), new Uint8Array(png)],
  )
  bufferViews[3] = { ...bufferViews[3], byteLength: png.length }
  const { document } = triangle()
  Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }], images })
  document.accessors.push({ bufferView: 2, componentType: 5126, count: 3, type: 'VEC2' })
  document.meshes[0].primitives[0].attributes.TEXCOORD_0 = 2
  document.meshes[0].primitives[0].material = 0
  document.textures = images.map((_, source) => ({ source, sampler: 0 }))
  document.samplers = [{ magFilter: 9728, wrapS: 33071, wrapT: 33648 }]
  document.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }]
  change(document)
  return { document, body }
}

const WHITE = [255, 255, 255, 255]
const FORMATS = 'expected a picture (PNG, JPEG, WebP, AVIF, GIF, TIFF or KTX2)'

describe('pictures', () => {
  it('that are decoded side by side share the memory that there is: one too many is white', async () => {
    const file = { document: { images: [{ uri: dataUri }, { uri: dataUri }] } as unknown as Gltf, body: undefined }
    const buffers = new GltfBuffers(file, 'it.gltf', new DiskFolder('it.gltf'))
    const accessors = new GltfAccessors(file.document, buffers, 'it.gltf')
    const images = new GltfImages(file.document, accessors, buffers, 'it.gltf', pixels.length)
    await Promise.all([images.textureOf(0), images.textureOf(1)])
    expect(images.decoded).toEqual({ count: 1, bytes: pixels.length })
    expect(images.problems).toEqual([
      expect.stringContaining('is shown white: the pictures of the scene need more memory than there is'),
    ])
  })
})

describe('a picture', () => {
  writeFileSync(join(folder, 'in folder.png'), png)

  it.each<[string, object]>([
    ['in a data URI', { uri: dataUri }],
    ['in the file itself', { bufferView: 3, mimeType: 'image/png' }],
    ['beside the file', { uri: 'in%20folder.png' }],
  ])('%s is decoded, and used as the sampler says', async (_, image) => {
    const { description, problems, scene } = await traced(textured([image]))
    expect(problems).toEqual([])
    const { textures, materials, meshes } = description
    expect(textures).toEqual([
      { width, height, wrapU: 'clamp', wrapV: 'mirror', srgb: true, nearest: true, texels: pixels },
    ])
    expect(materials[0]!.maps.color).toEqual({ texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] })
    const at = offsetOf(meshes[0]!, 'uv')!
    expect([...meshes[0]!.vertices.subarray(at, at + 2)]).toEqual([0, 1])
    expect(scene.declared!.textures).toEqual({ count: 1, bytes: pixels.length })
  })

  it('is moved by KHR_texture_transform', async () => {
    const transform = { offset: [0.25, 0.5], scale: [2, 3] }
    const { description, problems } = await traced(
      textured([{ uri: dataUri }], document => {
        document.extensionsUsed = ['KHR_texture_transform']
        document.materials[0].pbrMetallicRoughness.baseColorTexture.extensions = { KHR_texture_transform: transform }
      }),
    )
    expect(problems).toEqual([])
    expect(description.materials[0]!.maps.color!.transform).toEqual([2, 0, 0.25, 0, 3, 0.5])
  })

  it('may be a KTX2 that only KHR_texture_basisu names', async () => {
    const { description, problems, scene } = await traced(
      textured([{ uri: `data:image/ktx2;base64,${UASTC.toString('base64')}` }], document => {
        document.textures = [{ sampler: 0, extensions: { KHR_texture_basisu: { source: 0 } } }]
        document.extensionsUsed = ['KHR_texture_basisu']
        document.extensionsRequired = ['KHR_texture_basisu']
      }),
    )
    expect(problems).toEqual([])
    expect(description.textures).toMatchObject([{ width: 8, height: 4, srgb: true }])
    expect(scene.declared!.extensions).toEqual([{ name: 'KHR_texture_basisu', required: true, honoured: true }])
  })

  it('that two materials use is there once', async () => {
    const { description } = await traced(
      textured([{ uri: dataUri }], document => {
        document.nodes.push({ mesh: 1 })
        document.scenes[0].nodes.push(1)
        document.meshes.push({ primitives: [{ ...document.meshes[0].primitives[0], material: 1 }] })
        document.materials.push({ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, roughnessFactor: 0.5 } })
      }),
    )
    expect(description.textures).toHaveLength(1)
    expect(description.materials.map(({ maps }) => maps.color?.texture)).toEqual([0, 0])
  })

  // The size stands in the first chunk, and a sum after it.
  const sized = (side: number) => {
    const bytes = Buffer.from(png)
    for (const at of [16, 20]) bytes.writeUInt32BE(side, at)
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
    return `data:image/png;base64,${bytes.toString('base64')}`
  }
  const secret = pathToFileURL(join(root, 'outside.png')).href
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${secret}" width="9" height="9"/></svg>`
  writeFileSync(join(root, 'outside.png'), png)
  symlinkSync(join(root, 'outside.png'), join(folder, 'link.png'))
  it.each<[string, object, string]>([
    ['that is missing', { uri: 'nowhere.png' }, 'its file was not found'],
    ['outside the folder', { uri: '../outside.png' }, 'expected a file in the folder of the scene'],
    ['that a link leads to', { uri: 'link.png' }, 'not a link out of it'],
    ['on a host', { uri: 'http://example.org/a.png' }, 'nothing is fetched'],
    ['that is cut off', { uri: `data:;base64,${png.subarray(0, 60).toString('base64')}` }, 'its PNG data is damaged'],
    ['that is none', { uri: 'data:,hello' }, `${FORMATS}, got something else`],
    ['that is empty', { uri: 'data:,' }, `${FORMATS}, got no bytes`],
    ['that is a drawing', { uri: `data:image/svg+xml,${encodeURIComponent(drawing)}` }, 'got something else'],
    ['that claims to be huge', { uri: sized(100_000) }, 'expected at most 16384 px a side, got 100000 × 100000'],
    ['without a pixel', { uri: sized(0) }, 'its PNG data is damaged'],
    ['with half of an escape', { uri: 'a%2' }, "expected a URI, got 'a%2'"],
    ['with a NUL in its name', { uri: 'a%00.png' }, 'expected a file in the folder of the scene'],
    ['with an absolute name', { uri: '/etc/passwd' }, 'expected a file in the folder of the scene'],
    ['on another drive', { uri: 'C:%5Ca.png' }, 'nothing is fetched'],
    ['at a file URI', { uri: secret }, 'nothing is fetched'],
    ['on a share', { uri: '//host/a.png' }, 'nothing is fetched'],
    ['that is the folder', { uri: '.' }, 'expected a file in the folder of the scene'],
    ['without a comma', { uri: 'data:image/png;base64' }, 'expected a comma in its data URI'],
    ['without a place', { mimeType: 'image/png' }, 'expected a file or a buffer view'],
  ])('%s is white, and told once', async (_, image, why) => {
    const { description, problems } = await traced(
      textured([image], document => {
        document.materials.push({ ...document.materials[0], name: 'other' })
      }),
    )
    expect(description.textures.map(({ texels }) => [...texels])).toEqual([WHITE])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^image 0 .*is shown white: /)
    expect(problems[0]).toContain(why)
    expect(problems[0]).not.toContain('\n')
  })
})
