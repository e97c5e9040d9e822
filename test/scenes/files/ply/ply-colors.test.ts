import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadMeshError } from '../../../../scenes/errors.ts'
import { readPly } from '../../../../scenes/files/ply/ply.ts'
import { linearColors } from '../../../../scenes/files/ply/ply-colors.ts'
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'
import { FORMATS, type Format, type PlyTable, plyOf } from './ply-bytes.ts'

const FACE: PlyTable = { name: 'face', properties: [['list uchar int', 'vertex_indices']], rows: [[[0, 1, 2]]] }
const PLACES = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
]

/** A triangle whose vertices have values of the named properties after their coordinates. */
function colored(format: Format, type: string, names: readonly string[], values: readonly (readonly number[])[]) {
  const axes = ['x', 'y', 'z'].map(name => ['float', name] as const)
  const properties = [...axes, ...names.map(name => [type, name] as const)]
  const rows = PLACES.map((at, vertex) => [...at, ...values[vertex]!])
  return readPly(plyOf(format, [{ name: 'vertex', properties, rows }, FACE]), 'mesh.ply')
}

const RGB = ['red', 'green', 'blue']
/** The value that means 1, and the integers up to it that a type can hold. */
const SCALES: Readonly<Record<string, number>> = {
  uchar: 255,
  ushort: 65535,
  short: 255,
  int: 255,
  uint: 255,
  float: 1,
  double: 1,
}
const encoded = (full: number) =>
  full === 1 ? fc.float({ noNaN: true, min: 0, max: 1 }) : fc.integer({ min: 0, max: full })

describe('colours of PLY vertices', () => {
  it.each(Object.entries(SCALES))('of type %s are sRGB, 0 to %d, in text and both kinds of binary', (type, full) => {
    const vertex = fc.array(encoded(full), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(vertex, { minLength: 3, maxLength: 3 }), fc.boolean(), (values, hasOpacity) => {
        const names = hasOpacity ? [...RGB, 'alpha'] : RGB
        const used = values.map(value => value.slice(0, names.length))
        const expected = used.flatMap(([r, g, b, a = full]) => [
          ...[r!, g!, b!].map(value => Math.fround(linearFromSrgb(value / full))),
          Math.fround(a / full),
        ])
        for (const format of FORMATS) expect([...colored(format, type, names, used).colors!]).toEqual(expected)
      }),
    )
  })

  it.each([
    ['u8', 255],
    ['u16', 65535],
  ] as const)('of type %s are the same in large meshes, which are decoded by a table', (type, full) => {
    const values = Float32Array.from({ length: 3 * (full + 1) }, (_, i) => Math.floor(i / 3))
    const channels = { columns: [0, 1, 2], types: [type, type, type] }
    const colors = linearColors(values, channels, 'mesh.ply')
    const expected = Float32Array.from({ length: 4 * (full + 1) }, (_, i) =>
      i % 4 === 3 ? 1 : linearFromSrgb(Math.floor(i / 4) / full),
    )
    expect(colors).toEqual(expected)
  })

  it('of type char are bytes', () => {
    const light = (value: number) => Math.fround(linearFromSrgb(value / 255))
    for (const format of ['binary_little_endian', 'binary_big_endian'] as const) {
      const { colors } = colored(format, 'char', RGB, [
        [-1, -128, 127],
        [0, 1, 2],
        [0, 0, 0],
      ])
      expect([...colors!.subarray(0, 4)]).toEqual([1, light(128), light(127), 1])
    }
    const bytes = [
      [255, 128, 127],
      [0, 0, 0],
      [0, 0, 0],
    ]
    expect([...colored('ascii', 'char', RGB, bytes).colors!.subarray(0, 3)]).toEqual([1, light(128), light(127)])
  })

  it.each([
    [['diffuse_red', 'diffuse_green', 'diffuse_blue'], 1],
    [['diffuse_red', 'diffuse_green', 'diffuse_blue', 'diffuse_alpha'], 0],
    [['diffuse_red', 'diffuse_green', 'diffuse_blue', 'alpha'], 0],
    [['r', 'g', 'b'], 1],
    [['blue', 'green', 'red', 'alpha'].reverse(), 0],
  ])('may be called %s', (names, opacity) => {
    const values = PLACES.map(() => names.map(name => (/r(ed)?$/.test(name) ? 255 : 0)))
    for (const format of FORMATS)
      expect([...colored(format, 'uchar', names, values).colors!.subarray(4, 8)]).toEqual([1, 0, 0, opacity])
  })

  it('come beside normals and coordinates in doubles', () => {
    const axes = ['x', 'y', 'z', 'nx', 'ny', 'nz'].map(name => ['double', name] as const)
    const properties = [...RGB.map(name => ['uchar', name] as const), ...axes]
    const rows = PLACES.map((at, vertex) => [vertex * 100, 0, 255, ...at, 0, 0, 1])
    for (const format of FORMATS) {
      const { positions, normals, colors } = readPly(plyOf(format, [{ name: 'vertex', properties, rows }, FACE]), '')
      expect([...positions]).toEqual(PLACES.flat())
      expect([...normals!]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1])
      const reds = [0, 100, 200].map(red => Math.fround(linearFromSrgb(red / 255)))
      expect([...colors!]).toEqual(reds.flatMap(red => [red, 0, 1, 1]))
    }
  })

  it('in floats may go to 255, and are clamped', () => {
    const bytes = colored('ascii', 'float', RGB, [
      [255, 0, 51],
      [300, -5, 0],
      [1, 2, 3],
    ])
    expect([...bytes.colors!.subarray(0, 8)]).toEqual([1, 0, Math.fround(linearFromSrgb(0.2)), 1, 1, 0, 0, 1])
    const shares = PLACES.map(() => [1.5, -0.5, 0.2])
    expect([...colored('ascii', 'float', RGB, shares).colors!.subarray(0, 3)]).toEqual([
      1,
      0,
      Math.fround(linearFromSrgb(Math.fround(0.2))),
    ])
  })

  it('have no opacity, and the reader says so', () => {
    const names = [...RGB, 'alpha']
    const of = (alpha: number) =>
      colored(
        'ascii',
        'uchar',
        names,
        [...PLACES.slice(1), [0, 0, 0]].map(c => [...c, alpha]),
      )
    expect(of(255).problems).toEqual([])
    expect(of(254).problems).toEqual(['the opacity of vertex colours is not supported'])
  })

  it.each(FORMATS)('that are not finite are refused, %s', format => {
    const values = [
      [0, 0, 0],
      [1, Number.NaN, 0],
      [0, 0, 0],
    ]
    const read = () => colored(format, 'float', RGB, values)
    expect(read).toThrow(BadMeshError)
    expect(read).toThrow('mesh.ply: vertex 1: expected a colour of finite numbers, got 1 NaN 0')
  })
})
