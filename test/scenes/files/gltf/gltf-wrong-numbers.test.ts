/**
 * What the test suites of other loaders are made of: documents that break one rule each. Every one is refused in a sentence that names
 * the part, or read as if the rule were not there, because what it means is clear. This file has those of numbers.
 */
import { describe, expect, it } from 'vitest'
import { type AnyGltf, FLOAT, glb, triangle } from '../../../support/gltf.ts'
import { gltfFolder, put, type Wrong, wrong } from './gltf-scenes.ts'

const { ending } = gltfFolder()

const first = (d: AnyGltf) => d.meshes[0].primitives[0]
const push = (d: AnyGltf, name: string, accessor: object) => {
  first(d).attributes[name] = d.accessors.push({ bufferView: 0, componentType: FLOAT, count: 3, ...accessor }) - 1
}
const attribute = (name: string, accessor: object, sentence?: string) =>
  wrong(name, accessor, d => push(d, name, accessor), sentence)
const sparse = (changes: object, sentence: string) => {
  const indices = { bufferView: 1, componentType: 5123 }
  const all = { count: 1, indices, values: { bufferView: 0 }, ...changes }
  return wrong('sparse elements', changes, d => Object.assign(d.accessors[0], { sparse: all }), sentence)
}
const meshopt = (changes: object, sentence: string) => {
  const packed = { buffer: 0, byteLength: 36, byteStride: 12, count: 3, mode: 'ATTRIBUTES', ...changes }
  const change = (d: AnyGltf) => {
    d.bufferViews[0].extensions = { EXT_meshopt_compression: packed }
  }
  return wrong('meshopt data', changes, change, sentence)
}

const ACCESSORS: readonly Wrong[] = [
  put('accessors[0].type', undefined, ': expected one of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4, got nothing'),
  put('accessors[0].type', 'vec3', ": expected one of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4, got 'vec3'"),
  put('accessors[0].count', 2.5, ': expected a whole number, got 2.5'),
  put('accessors[0].count', 0, ': expected a number from 1, got 0'),
  put('accessors[0].count', -3, ': expected a number from 1, got -3'),
  put('accessors[0].count', 1e9, 'all meshes together: expected at most 67108864 triangles, got 333333334'),
  put('accessors[0].count', 2 ** 53, ': expected a number up to 9007199254740991, got 9007199254740992'),
  put('accessors[0].count', '3', ": expected a number, got '3'"),
  put(
    'accessors[0].byteOffset',
    2 ** 53 - 2,
    'the file is truncated: expected accessor 0 within its bytes, it needs 9007199254741026 bytes, and there are 36',
  ),
  put('accessors[0].bufferView', undefined, 'expected at least one triangle, got none: all have zero area'),
  put('accessors[0].normalized', true),
  put(
    'accessors[1].normalized',
    true,
    'mesh 0, primitive 0: expected indices of unsigned integers, got SCALAR of component type 5123, normalized',
  ),
  put(
    'accessors[1].componentType',
    5122,
    'mesh 0, primitive 0: expected indices of unsigned integers, got SCALAR of component type 5122',
  ),
  put(
    'accessors[1].type',
    'VEC2',
    'mesh 0, primitive 0: expected indices of unsigned integers, got VEC2 of component type 5123',
  ),
  ['with limits of another size', d => Object.assign(d.accessors[0], { min: [0], max: ['a'] }), undefined],
  sparse({ count: 0 }, 'accessors[0].sparse.count: expected a number from 1, got 0'),
  sparse({ count: 4 }, 'accessor 0: expected at most 3 sparse elements, got 4'),
  sparse(
    { values: { bufferView: 0, byteOffset: 30 } },
    'the file is truncated: expected accessor 0, sparse values within its bytes, it needs 42 bytes, and there are 36',
  ),
  sparse(
    { indices: { bufferView: 1, componentType: FLOAT } },
    'accessors[0].sparse.indices.componentType: expected one of 5121, 5123, 5125, got 5126',
  ),
  sparse({ values: {} }, 'accessors[0].sparse.values.bufferView: expected a number, got nothing'),
  sparse({ values: { bufferView: 9 } }, 'accessor 0: expected a buffer view below 2, got 9'),
  put(
    'bufferViews[0].byteStride',
    5,
    'the file is truncated: expected accessor 0 within its bytes, it needs steps of 12 bytes, not 5',
  ),
  [
    'in steps of 13, which end in its view',
    d => {
      d.bufferViews[0].byteStride = 13
      d.bufferViews[0].byteLength = 38
    },
    undefined,
  ],
  put('bufferViews[0].buffer', 1, 'buffer view 0: expected a buffer below 1, got 1'),
  put('bufferViews[0].byteOffset', -4, ': expected a number from 0, got -4'),
  put(
    'bufferViews[0].byteLength',
    0,
    'the file is truncated: expected accessor 0 within its bytes, it needs 36 bytes, and there are 0',
  ),
  put('buffers[0].byteLength', -1, ': expected a number from 0, got -1'),
  put(
    'buffers[0].uri',
    'https://example.org/a.bin',
    "buffer 0: expected a file in the folder of the scene, because nothing is fetched, got 'https://example.org/a.bin'",
  ),
  put('buffers[0].uri', 'missing.bin', "buffer 0: its file was not found, got 'missing.bin'"),
  put(
    'buffers[0].uri',
    '../../etc/passwd',
    "buffer 0: expected a file in the folder of the scene, got '../../etc/passwd'",
  ),
  put('buffers[0].uri', '/etc/passwd', "buffer 0: expected a file in the folder of the scene, got '/etc/passwd'"),
  put('buffers[0].uri', '%2e%2e%2fa.bin', "buffer 0: expected a file in the folder of the scene, got '%2e%2e%2fa.bin'"),
  put('buffers[0].uri', '..\\a.bin', "buffer 0: its file was not found, got '..\\a.bin'"),
  put('buffers[0].uri', 'a%00.bin', "buffer 0: expected a file in the folder of the scene, got 'a%00.bin'"),
  put('buffers[0].uri', 'data:;base64,%%%%', 'the file is truncated: expected 44 bytes in buffer 0, got 0'),
  put('buffers[0].uri', 'data:', 'buffer 0: expected a comma in its data URI'),
]

const MESHES: readonly Wrong[] = [
  put('meshes[0].primitives', [], ': expected a list that is not empty, got an empty list'),
  put('meshes[0].primitives[0].attributes', undefined, ': expected an object, got nothing'),
  put('meshes[0].primitives[0].mode', 7, ': expected a number up to 6, got 7'),
  attribute('NORMAL', { type: 'VEC4' }, 'mesh 0, primitive 0, NORMAL: expected VEC3, got VEC4'),
  attribute('TEXCOORD_0', { type: 'VEC3' }, 'mesh 0, primitive 0, TEXCOORD_0: expected VEC2, got VEC3'),
  attribute(
    'COLOR_0',
    { type: 'VEC3', count: 2 },
    'mesh 0, primitive 0, COLOR_0: expected 3 elements like the other attributes, got 2',
  ),
  attribute(
    'JOINTS_0',
    { type: 'VEC4' },
    'mesh 0, primitive 0, JOINTS_0: expected unsigned integers of 8 or 16 bits, got VEC4 of component type 5126',
  ),
  attribute('JOINTS_0', { type: 'VEC4', componentType: 5121 }),
  [
    'with attributes named like properties',
    d => {
      for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
        Object.defineProperty(first(d).attributes, name, { value: 0, enumerable: true })
    },
    undefined,
  ],
  put('meshes[0].primitives[0].attributes.NORMAL', 'x', ": expected a number, got 'x'"),
  [
    'with morph targets of other sizes',
    d => {
      push(d, 'IGNORED', { type: 'VEC3', count: 2 })
      first(d).targets = [{ POSITION: 2 }]
    },
    'mesh 0, primitive 0: expected morph targets of 3 vertices, got another number',
  ],
  put('meshes[0].weights', [1, 1, 1]),
  [
    'with a skin without joints',
    d => {
      d.skins = [{ joints: [] }]
      d.nodes[0].skin = 0
    },
    'skins[0].joints: expected a list that is not empty, got an empty list',
  ],
  put('nodes[0].skin', 3, 'node 0: expected no number of a skin, for there is none, got 3'),
  [
    'in three hundred thousand nodes',
    d => {
      d.nodes = Array.from({ length: 3e5 }, () => ({ mesh: 0 }))
      d.scenes = [{ nodes: [...d.nodes.keys()] }]
    },
    'all nodes together: expected at most 262144 primitives of meshes, got 300000',
  ],
  [
    'in two million instances',
    d => {
      d.accessors.push({ componentType: FLOAT, count: 2e6, type: 'VEC3' })
      d.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } }
    },
    'all nodes together: expected at most 1048576 instances, got 2000000',
  ],
]

const PACKED: readonly Wrong[] = [
  meshopt(
    { count: 2 ** 27, byteStride: 16 },
    'buffer view 0: expected meshopt data for 2147483648 bytes, got 36 bytes',
  ),
  meshopt({ byteStride: 3 }, 'buffer view 0: expected another stride than 3 of meshopt attributes'),
  meshopt(
    { mode: 'POINTS' },
    "bufferViews[0].extensions.EXT_meshopt_compression.mode: expected one of ATTRIBUTES, TRIANGLES, INDICES, got 'POINTS'",
  ),
  meshopt(
    { byteOffset: 40 },
    'the file is truncated: expected buffer view 0 within its bytes, it needs bytes 40 to 76 of buffer 0, which has 44',
  ),
  meshopt({ buffer: 4 }, 'buffer view 0: expected a buffer below 1, got 4'),
]

describe.each([
  ['numbers', ACCESSORS],
  ['meshes', MESHES],
  ['meshopt data', PACKED],
])('%s', (_, cases) => {
  it.each(cases)('%s', async (_, change, sentence) => {
    expect(await ending(glb(triangle(change)))).toBe(sentence)
  })
})
