/** Files that are no scenes: each ends in one sentence that names the file and the part, soon. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { loadFile } from '../../../../scenes/load-file.ts'
import { UsageError } from '../../../../shared/errors.ts'
import { type AnyGltf, FLOAT, glb, gltfText, type Numbers, triangle, viewsOf } from '../../../support/gltf.ts'
import { gltfFolder, put, type Wrong } from './gltf-scenes.ts'

const { folder, refusal } = gltfFolder()

const changed = (change: (document: AnyGltf) => void) => glb(triangle(change))
const first = (document: AnyGltf) => document.meshes[0].primitives[0]
/** The triangle with other numbers: positions, indices and what else. */
function withArrays(change: (document: AnyGltf) => void, ...arrays: Numbers[]) {
  const { bufferViews, body } = viewsOf(...arrays)
  const { document } = triangle()
  Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
  change(document)
  return glb({ document, body })
}
const FLAT = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)

describe('a container', () => {
  it.each<[string, () => Uint8Array | string, string, string]>([
    ['empty', () => '', 'BAD_MESH', 'is not a glTF file: expected JSON'],
    ['text', () => 'hello\nworld', 'BAD_MESH', 'is not a glTF file: expected JSON'],
    ['another document', () => '[]', 'BAD_MESH', 'is not a glTF document: expected an object'],
    ['nothing', () => 'null', 'BAD_MESH', 'is not a glTF document: expected an object'],
    [
      'its first bytes',
      () => glb(triangle()).subarray(0, 8),
      'MESH_TRUNCATED',
      'expected a header of 12 bytes, got 8 bytes',
    ],
    [
      'all but its last byte',
      () => glb(triangle()).subarray(0, -1),
      'MESH_TRUNCATED',
      'the file is truncated: expected',
    ],
    ['version 1', () => with32(4, 1), 'BAD_MESH', 'expected version 2 of binary glTF, got 1'],
    ['a chunk that is too long', () => with32(12, 0xfffffff0), 'MESH_TRUNCATED', 'expected a chunk that ends at byte'],
    ['another first chunk', () => with32(16, 7), 'BAD_MESH', 'expected a chunk of JSON first'],
    [
      'glTF 1.0',
      () => changed(document => Object.assign(document.asset, { version: '1.0' })),
      'BAD_MESH',
      '2.x version',
    ],
    ['no triangles', () => changed(document => Object.assign(document, { nodes: [{}] })), 'SCENE_EMPTY', 'no mesh'],
    [
      'an unknown extension',
      () =>
        changed(document => Object.assign(document, { extensionsRequired: ['EXT_future', 'KHR_mesh_quantization'] })),
      'BAD_MESH',
      "requires the extension 'EXT_future', which is not supported",
    ],
  ])('with %s', async (_, content, code, message) => {
    expect(await refusal('file.glb', content())).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('cut anywhere is refused', async () => {
    const whole = glb(triangle())
    for (let length = 0; length < whole.length; length += 7) await refusal('cut.glb', whole.subarray(0, length))
  })
})

describe('a document', () => {
  it.each<Wrong>([
    put('scene', 4, 'the default scene: expected a scene below 1, got 4'),
    put('scenes[0].nodes', [9], 'scene 0: expected a node below 1, got 9'),
    put('nodes[0].mesh', -1, 'nodes[0].mesh'),
    put('nodes[0].mesh', 0.5, 'nodes[0].mesh'),
    put('nodes[0].mesh', 7, 'node 0: expected a mesh below 1, got 7'),
    put('nodes[0].camera', 0, 'node 0: expected no number of a camera, for there is none, got 0'),
    put('meshes[0].primitives[0].material', 3, 'mesh 0, primitive 0: expected'),
    [
      'a texture that is not there',
      d => Object.assign(d, { materials: [{ normalTexture: { index: 2 } }], textures: [{}] }),
      'material 0: expected a texture below 1, got 2',
    ],
    [
      'a texture of an extension that is not there',
      d =>
        Object.assign(d, {
          materials: [{ extensions: { KHR_materials_clearcoat: { clearcoatTexture: { index: 'x' } } } }],
          textures: [{}],
        }),
      'materials[0].extensions.KHR_materials_clearcoat.clearcoatTexture.index: expected a number, got',
    ],
    put('nodes[0].children', [0], 'node 0: expected nodes that form a tree'),
    put('nodes', [{ mesh: 0 }, { children: [2] }, { children: [1] }], 'node 1: expected nodes that form a tree'),
    put('nodes', [{ children: [2] }, { children: [2] }, { mesh: 0 }], 'node 2: expected one parent, got nodes 0 and 1'),
    [
      'nodes nested too deep',
      d =>
        Object.assign(d, {
          nodes: Array.from({ length: 5000 }, (_, i) => (i < 4999 ? { children: [i + 1] } : { mesh: 0 })),
        }),
      'expected nodes nested at most 1000 deep',
    ],
    put('meshes[0].primitives[0].attributes', {}, 'expected an attribute POSITION, got none'),
    put('accessors[0].type', 'VEC2', 'POSITION: expected VEC3, got VEC2'),
    put('accessors[0].componentType', 5125, 'POSITION: expected floats or integers'),
    put('accessors[1].componentType', FLOAT, 'expected indices of unsigned integers'),
    put('accessors[0].componentType', 5130, 'accessors[0].componentType'),
    [
      'fewer normals than positions',
      d => {
        d.accessors.push({ ...d.accessors[0], count: 2 })
        first(d).attributes.NORMAL = 2
      },
      'NORMAL: expected 3 elements like the other attributes, got 2',
    ],
    put('accessors[0].count', 4, 'accessor 0 within its bytes, it needs 48 bytes'),
    put('accessors[0].byteOffset', 2 ** 40, 'accessor 0 within its bytes'),
    put('bufferViews[0].byteLength', 1e9, 'buffer view 0 within its bytes'),
    put('bufferViews[0].byteStride', 4, 'it needs steps of 12 bytes, not 4'),
    put('buffers[0].byteLength', 1e12, '1000000000000 bytes in buffer 0, got 44'),
    [
      'a great many zeros',
      d => {
        d.accessors[0] = { componentType: FLOAT, count: 3e7, type: 'VEC3' }
      },
      'accessor 0: expected at most 268435456 bytes of zeros in all, got more',
    ],
    [
      'too many triangles',
      d => {
        d.accessors[1].count = 3e8
      },
      'all meshes together: expected at most 67108864 triangles',
    ],
    [
      'a long circle of nodes',
      d => {
        d.nodes = Array.from({ length: 50_000 }, (_, i) => ({ children: [(i + 1) % 50_000] }))
      },
      'node 0: expected nodes that form a tree',
    ],
    ['a cone without angle', d => lit(d, { type: 'spot', spot: { outerConeAngle: 0 } }), 'outerConeAngle'],
    ['a negative light', d => lit(d, { type: 'point', intensity: -1 }), 'intensity'],
    ['an unknown light', d => lit(d, { type: 'area' }), 'lights[0].type'],
    ['a light that is not there', d => lit(d, { type: 'point' }, 1), 'node 0: expected a light below 1, got 1'],
    put('materials', [{ emissiveFactor: ['a', 0, 0] }], 'emissiveFactor'),
    [
      'a decoded size without data',
      d => meshopt(d, { byteLength: 4, count: 1e9, byteStride: 12, mode: 'ATTRIBUTES' }),
      'buffer view 0: expected meshopt data for 12000000000 bytes, got 4 bytes',
    ],
    [
      'noise instead of meshopt data',
      d => meshopt(d, { byteLength: 36, count: 3, byteStride: 12, mode: 'ATTRIBUTES' }),
      'buffer view 0: expected meshopt data: Malformed buffer data',
    ],
    put(
      'meshes[0].primitives[0].extensions',
      { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
      'is not a readable glTF scene: expected a Draco mesh',
    ),
  ])('%s', async (_, change, sentence) => {
    expect((await refusal('document.glb', changed(change))).message).toContain(sentence)
  })

  it('with an infinite number', async () => {
    const text = gltfText(triangle(document => Object.assign(document.nodes[0], { translation: [1234.5, 0, 0] })))
    expect((await refusal('infinite.gltf', text.replace('1234.5', '1e999'))).message).toContain('translation')
  })

  it.each<[string, () => Uint8Array, string, string]>([
    [
      'a position that is no number',
      () => withArrays(() => {}, Float32Array.of(0, 0, 0, 1, Number.NaN, 0, 0, 1, 0), Uint16Array.of(0, 1, 2)),
      'MESH_BAD_VERTEX',
      "mesh 'sail', vertex 1: expected three finite numbers, got 1 NaN 0",
    ],
    [
      'an index without a vertex',
      () => withArrays(() => {}, FLAT, Uint16Array.of(0, 1, 3)),
      'MESH_BAD_INDEX',
      "mesh 'sail', face 0: expected vertices below 3, got 3",
    ],
    [
      'a sparse element that is not there',
      () =>
        withArrays(
          document => {
            document.accessors[0].sparse = {
              count: 1,
              indices: { bufferView: 2, componentType: 5121 },
              values: { bufferView: 0 },
            }
          },
          FLAT,
          Uint16Array.of(0, 1, 2),
          Uint8Array.of(200),
        ),
      'BAD_MESH',
      'accessor 0: expected sparse elements below 3, got 200',
    ],
    [
      'a joint that is not there',
      () =>
        withArrays(
          document => {
            document.accessors.push(
              { bufferView: 2, componentType: 5121, count: 3, type: 'VEC4' },
              { bufferView: 3, componentType: FLOAT, count: 3, type: 'VEC4' },
            )
            Object.assign(first(document).attributes, { JOINTS_0: 2, WEIGHTS_0: 3 })
            document.nodes = [{ mesh: 0, skin: 0 }, {}]
            document.skins = [{ joints: [1] }]
          },
          FLAT,
          Uint16Array.of(0, 1, 2),
          new Uint8Array(12).fill(1),
          new Float32Array(12).fill(1),
        ),
      'BAD_MESH',
      "mesh 'mesh_0', vertex 0: expected joints below 1, got 1",
    ],
  ])('with %s', async (_, content, code, message) => {
    expect(await refusal('numbers.glb', content())).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('with any value replaced by any other ends in a scene or in one sentence', async () => {
    const { document, body } = triangle(document => {
      document.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
      Object.assign(first(document), { material: 0 })
      Object.assign(document, { textures: [{ source: 0 }], images: [{ uri: 'a.png' }] })
      document.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 1 } }]
      document.nodes.push({ camera: 0 })
      lit(document, { type: 'spot', spot: {} })
    })
    const places = placesIn(document)
    const value = fc.oneof(fc.constantFrom(null, -1, 0, 1, 2, 5126, 1e300, '', 'x', [], {}, true), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), value, async (place, other) => {
        const broken = structuredClone(document)
        const holder = place.slice(0, -1).reduce((at, key) => at[key], broken)
        holder[place.at(-1)!] = other
        const path = join(folder, 'any.glb')
        await writeFile(path, glb({ document: broken, body }))
        try {
          importThree((await loadFile(path)).scene)
        } catch (error) {
          expect(error, JSON.stringify([place, other])).toBeInstanceOf(UsageError)
        }
      }),
      { numRuns: 400 },
    )
  })
})

function with32(at: number, value: number): Uint8Array {
  const bytes = Buffer.from(glb(triangle()))
  bytes.writeUInt32LE(value, at)
  return bytes
}

function lit(document: AnyGltf, light: object, number = 0): void {
  document.extensions = { KHR_lights_punctual: { lights: [light] } }
  document.nodes[0].extensions = { KHR_lights_punctual: { light: number } }
}

function meshopt(document: AnyGltf, packed: object): void {
  document.bufferViews[0].extensions = { EXT_meshopt_compression: { buffer: 0, ...packed } }
}

/** Paths of everything in a document. */
function placesIn(part: AnyGltf, path: (string | number)[] = []): (string | number)[][] {
  if (typeof part !== 'object' || part === null) return [path]
  const below = Object.entries(part).flatMap(([key, value]) =>
    placesIn(value, [...path, Array.isArray(part) ? Number(key) : key]),
  )
  return path.length > 0 ? [path, ...below] : below
}
