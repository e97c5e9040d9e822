import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BadIndexError,
  BadMeshError,
  BadVertexError,
  EmptySceneError,
  TruncatedMeshError,
} from '../../../../scenes/errors.ts'
import { readPly } from '../../../../scenes/files/ply/ply.ts'
import { binaryPly, bytesOf, FORMATS, type PlyTable, plyOf, textPly } from './ply-bytes.ts'

const TRIANGLE = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ],
  faces: [[0, 1, 2]],
}
const COLORED_STRIPS: readonly PlyTable[] = [
  {
    name: 'vertex',
    properties: [
      ...['x', 'y', 'z'].map(name => ['float', name] as const),
      ...['red', 'green', 'blue'].map(name => ['float', name] as const),
    ],
    rows: TRIANGLE.vertices.map(at => [...at, 1, 0.5, 0]),
  },
  { name: 'tristrips', properties: [['list int int', 'vertex_indices']], rows: [[[0, 1, 2, -1, 2, 1, 0]]] },
]

const read = (bytes: Uint8Array) => readPly(bytes, 'mesh.ply')
const readText = (text: string) => read(bytesOf(text))

describe('PLY', () => {
  it('reads text and both kinds of binary alike', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 20 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 30 }),
        (vertices, picks) => {
          const faces = [picks.slice(0, 3), ...chunks(picks.slice(3), 3)].map(face =>
            face.map(i => i % vertices.length),
          )
          const [positions, indices] = [Float32Array.from(vertices.flat()), Uint32Array.from(faces.flat())]
          const expected = { positions, indices, problems: [] }
          expect(readText(textPly({ vertices, faces }))).toEqual(expected)
          expect(read(binaryPly({ vertices, faces }, true))).toEqual(expected)
          expect(read(binaryPly({ vertices, faces }, false))).toEqual(expected)
        },
      ),
    )
  })

  it('reads numbers in text as the platform does', () => {
    fc.assert(
      fc.property(fc.array(numberText, { minLength: 9, maxLength: 9 }), words => {
        const vertices = chunks(words, 3)
        const { positions, offset = [0, 0, 0] } = readText(textPly({ vertices, faces: [[0, 1, 2]] }))
        expect([...positions]).toEqual(words.map((word, i) => Math.fround(Number(word) - offset[i % 3]!)))
      }),
    )
  })

  it('says which colours and textures are not traced', () => {
    const faces = 'ply\nformat ascii 1.0\ncomment TextureFile a b.png\nelement vertex 3\n'
    const red = `${faces}property float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face 1
property list uchar int vertex_indices\nproperty uchar red\nend_header\n0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 2 9\n`
    expect(readText(red).problems).toEqual([
      'vertex colours were ignored: expected red, green and blue, got only some',
      'face colours are not supported, only a plain one',
      "texture 'a b.png' is not supported, only a plain colour",
    ])
    expect(readText(red).colors).toBe(undefined)
  })

  it('turns polygons of any number of corners into fans', () => {
    const vertices = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0.5, 1.5, 0],
      [0, 1, 0],
    ]
    const { indices } = readText(
      textPly({
        vertices,
        faces: [
          [0, 1, 2, 3, 4],
          [0, 1],
          [0, 1, 2, 4],
        ],
      }),
    )
    expect([...indices!]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 1, 2, 0, 2, 4])
  })

  it('keeps normals, and skips other properties and elements', () => {
    const text = `ply\nformat ascii 1.0\ncomment hello\nobj_info x\nelement material 1\nproperty uchar red\nproperty list uchar float more\nelement vertex 3
property float nx\nproperty float ny\nproperty float nz\nproperty double z\nproperty double y\nproperty double x\nproperty list int int tags
element face 1\nproperty uchar flags\nproperty list uchar uint vertex_index\nend_header
7 2 0.5 0.5\n0 0 1 3 2 1 2 5 6\n0 0 1 6 5 4 0\n0 0 1 9 8 8 1 1\n255 3 0 1 2\n`
    const mesh = readText(text.replaceAll('\n', '\r\n'))
    expect([...mesh.positions]).toEqual([1, 2, 3, 4, 5, 6, 8, 8, 9])
    expect([...mesh.normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1])
    expect([...mesh.indices!]).toEqual([0, 1, 2])
  })

  it('refuses every cut of a binary file, and every cut of a text between lines', () => {
    const whole = binaryPly(TRIANGLE, true)
    for (let length = 4; length < whole.length; length++)
      expect(() => read(whole.subarray(0, length)), `${length} bytes`).toThrow(TruncatedMeshError)
    const lines = textPly(TRIANGLE).trimEnd().split('\n')
    for (let count = 1; count < lines.length; count++)
      expect(() => readText(`${lines.slice(0, count).join('\n')}\n`), `${count} lines`).toThrow(TruncatedMeshError)
  })

  it('says what was promised and where the file ends', () => {
    const text = textPly(TRIANGLE).split('\n').slice(0, -2).join('\n')
    expect(() => readText(text)).toThrow(
      'mesh.ply: the file is truncated: expected 3 vertex and 1 face elements, the file ends within face 0',
    )
  })

  it('refuses counts beyond the file before making room for them', () => {
    expect(() => readText(textPly(TRIANGLE).replace('vertex 3', 'vertex 4000000000'))).toThrow(TruncatedMeshError)
    expect(() => readText(textPly(TRIANGLE).replace('face 1', 'face 4000000000'))).toThrow(TruncatedMeshError)
    const empty = textPly(TRIANGLE).replace('element face', 'element nothing 99999999999999\nelement face')
    expect(readText(empty).indices).toHaveLength(3)
  })

  it.each(['nan', 'NaN', 'inf', '-Infinity', '1e60'])('names the vertex that is %s', word => {
    const vertices = [
      [0, 0, 0],
      [1, word, 0],
      [0, 1, 0],
    ]
    expect(() => readText(textPly({ ...TRIANGLE, vertices }))).toThrow(BadVertexError)
    expect(() => readText(textPly({ ...TRIANGLE, vertices }))).toThrow(
      'vertex 1: expected three finite numbers, got 1 ',
    )
  })

  it('names the face whose vertex does not exist', () => {
    for (const index of [3, -1, 0.5, 4e9]) {
      const broken = textPly({
        ...TRIANGLE,
        faces: [
          [0, 1, 2],
          [0, 1, index],
        ],
      })
      expect(() => readText(broken)).toThrow(BadIndexError)
      expect(() => readText(broken)).toThrow(`face 1: expected a vertex below 3, got ${index}`)
    }
  })

  it.each([
    ['no PLY at all', 'PK\u0003\u0004 whatever', BadMeshError, "expected it to begin with 'ply'"],
    ['an unknown format', 'ply\nformat xml 1.0\nend_header\n', BadMeshError, "got 'format xml 1.0'"],
    ['no format', 'ply\nelement vertex 1\nend_header\n', BadMeshError, 'expected a line with the format'],
    ['a bad count', 'ply\nformat ascii 1.0\nelement vertex -1\nend_header\n', BadMeshError, 'element NAME COUNT'],
    ['a bad type', 'ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n', BadMeshError, 'TYPE NAME'],
    ['an unknown line', 'ply\nformat ascii 1.0\nhello\nend_header\n', BadMeshError, "got 'hello'"],
    [
      'no positions',
      'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n',
      BadMeshError,
      'got no y',
    ],
    ['no faces', textPly({ ...TRIANGLE, faces: [] }), EmptySceneError, 'the PLY file has no faces'],
    ['only edges', textPly({ ...TRIANGLE, faces: [[0, 1]] }), EmptySceneError, 'no face has three corners'],
    [
      'words for numbers',
      textPly(TRIANGLE).replace('1 0 0', '1 O 0'),
      BadMeshError,
      "vertex 1: expected a number, got 'O'",
    ],
    [
      'a list as coordinate',
      textPly(TRIANGLE).replace('float y', 'list uchar float y'),
      BadMeshError,
      'expected an element vertex with x, y and z, got no y',
    ],
    [
      'a face of very many corners',
      textPly(TRIANGLE).replace('list uchar', 'list uint').replace(/\n3 /, '\n4000000000 '),
      BadMeshError,
      'face 0: expected at most 67108864 corners, got 4000000000',
    ],
    ['faces without corners', textPly(TRIANGLE).replace('vertex_indices', 'other'), BadMeshError, 'got none'],
  ])('refuses %s', (_, text, error, message) => {
    expect(() => readText(text)).toThrow(error)
    expect(() => readText(text)).toThrow(message)
  })

  it.each<[string, Uint8Array]>([
    ['triangles', binaryPly(TRIANGLE, true)],
    ...FORMATS.map((format): [string, Uint8Array] => [`colours, ${format}`, plyOf(format, COLORED_STRIPS)]),
  ])('ends in a mesh or in an error of ours, whatever the bytes: %s', (_, whole) => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = whole.slice()
        bytes[at] = byte
        try {
          const { indices, positions, colors } = read(bytes)
          expect(indices!.length % 3).toBe(0)
          expect(indices!.every(index => index < positions.length / 3)).toBe(true)
          expect((colors ?? []).every(channel => channel >= 0 && channel <= 1)).toBe(true)
        } catch (error) {
          expect(error).toHaveProperty('exitCode', 2)
        }
      }),
      { numRuns: 300 },
    )
  })
})

const coordinate = fc.float({ noNaN: true, min: -1e6, max: 1e6 }).map(value => value + 0)

const numberText = fc.oneof(
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map(String),
  fc
    .tuple(fc.integer({ min: -999999, max: 999999 }), fc.nat(999999))
    .map(([whole, decimals]) => `${whole}.${decimals}`),
  fc.constantFrom('0', '1e3', '+2.5', '.5', '3.', '1.5E-3', '0.1000000000000000055511151231257827'),
)

function chunks<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.floor(list.length / length) }, (_, i) => list.slice(i * length, (i + 1) * length))
}
