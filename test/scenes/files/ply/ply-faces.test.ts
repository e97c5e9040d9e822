import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadIndexError, EmptySceneError } from '../../../../scenes/errors.ts'
import { readPly } from '../../../../scenes/files/ply/ply.ts'
import { FORMATS, type Format, type PlyTable, plyOf } from './ply-bytes.ts'

const VERTICES = 12
const vertices: PlyTable = {
  name: 'vertex',
  properties: ['x', 'y', 'z'].map(name => ['float', name] as const),
  // Two rows of a grid, so that a strip along it is flat: even numbers at y = 0, odd ones at y = 1.
  rows: Array.from({ length: VERTICES }, (_, i) => [Math.floor(i / 2), i % 2, 0]),
}
const faces = (rows: readonly (readonly number[])[]): PlyTable => ({
  name: 'face',
  properties: [['list uchar int', 'vertex_indices']],
  rows: rows.map(row => [row]),
})
const strips = (rows: readonly (readonly number[])[], type = 'int'): PlyTable => ({
  name: 'tristrips',
  properties: [[`list int ${type}`, 'vertex_indices']],
  rows: rows.map(row => [row]),
})
const read = (format: Format, ...tables: PlyTable[]) => readPly(plyOf(format, tables), 'mesh.ply')

/** The same triangles as faces. */
function trianglesOf(strip: readonly number[]): number[][] {
  const triangles = strip.slice(2).map((c, i) => {
    const [a, b] = [strip[i]!, strip[i + 1]!]
    return i % 2 === 0 ? [a, b, c] : [b, a, c]
  })
  return triangles.filter(corners => new Set(corners).size === 3)
}

describe('triangle strips of PLY', () => {
  it('are the same triangles as those written as faces', () => {
    const strip = fc.array(fc.nat(VERTICES - 1), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.array(strip, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), rows => {
        const triangles = rows.flat().flatMap(trianglesOf)
        fc.pre(triangles.length > 0)
        const lists = rows.map(row => row.flatMap((strip, i) => (i === 0 ? strip : [-1, ...strip])))
        for (const format of FORMATS)
          expect(read(format, vertices, strips(lists))).toEqual(read(format, vertices, faces(triangles)))
      }),
    )
  })

  it('show all of their triangles from one side', () => {
    const { indices, positions } = read(
      'ascii',
      vertices,
      strips([[0, 2, 1, 3], [...Array(VERTICES).keys()].reverse()]),
    )
    const at = (corner: number) => positions.subarray(indices![corner]! * 3, indices![corner]! * 3 + 2)
    expect(indices).toHaveLength(3 * (2 + VERTICES - 2))
    for (let corner = 0; corner < indices!.length; corner += 3) {
      const [a, b, c] = [at(corner), at(corner + 1), at(corner + 2)]
      const area = (b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!)
      expect(area).toBe(corner < 6 ? 1 : -1)
    }
  })

  it.each([
    ['uchar', 0xff],
    ['ushort', 0xffff],
    ['uint', 0xffffffff],
    ['char', -1],
    ['float', -1],
  ])('begin again at -1 as the type %s has it', (type, restart) => {
    for (const format of FORMATS) {
      const { indices } = read(format, vertices, strips([[restart, 0, 1, 2, restart, restart, 3, 4, 5, restart]], type))
      expect([...indices!]).toEqual([0, 1, 2, 3, 4, 5])
    }
  })

  it('may come before the vertices, and beside faces', () => {
    const empty = faces([])
    expect([...read('ascii', empty, strips([[0, 1, 2]]), vertices).indices!]).toEqual([0, 1, 2])
    const both = read('binary_big_endian', vertices, strips([[0, 1, 2]]), faces([[3, 4, 5, 6]]))
    expect([...both.indices!]).toEqual([0, 1, 2, 3, 4, 5, 3, 5, 6])
  })

  it('name the strip whose vertex does not exist', () => {
    for (const index of [VERTICES, -2, 1e9])
      for (const format of FORMATS) {
        const broken = () =>
          read(
            format,
            vertices,
            strips([
              [0, 1, 2],
              [0, 1, index],
            ]),
          )
        expect(broken).toThrow(BadIndexError)
        expect(broken).toThrow(`mesh.ply: tristrips 1: expected a vertex below ${VERTICES} or -1, got ${index}`)
      }
  })

  it('need a triangle and a list', () => {
    expect(() =>
      read(
        'ascii',
        vertices,
        strips([
          [0, 1, -1, 2, 3],
          [4, 4, 5],
        ]),
      ),
    ).toThrow(EmptySceneError)
    const nameless = { ...strips([[0, 1, 2]]), properties: [['list int int', 'corners']] as const }
    expect(() => read('ascii', vertices, nameless)).toThrow('expected the tristrips to have a list vertex_indices')
  })
})
