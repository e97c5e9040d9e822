import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  materialIn,
  putTriangle,
  type TriangleBits,
  triangleBits,
  vertexIn,
  WHOLE_WORDS,
} from '../../../shared/scene/triangle-bits.ts'

/** All numbers of a triangle. */
const read = (words: Uint32Array, bits: TriangleBits, triangle: number) => [
  ...[0, 1, 2].map(corner => vertexIn(words, bits, triangle, corner)),
  materialIn(words, bits, triangle),
]

describe('the numbers of a triangle', () => {
  it('take as few words as the largest ones need', () => {
    const words = (vertices: number, materials: number) => triangleBits(vertices, materials).words
    expect(triangleBits(3, 1)).toEqual({ vertex: 2, material: 1, words: 1 })
    expect(triangleBits(330_000, 2)).toEqual({ vertex: 19, material: 1, words: 2 })
    expect([words(1 << 21, 2), words(1 << 21, 3), words((1 << 21) + 1, 1)]).toEqual([2, 3, 3])
    expect([words(1 << 27, 1 << 15), words(1 << 27, (1 << 15) + 1), words(1, 1)]).toEqual([3, 4, 1])
  })

  it('are read as they were written, over whatever was there, and beside others', () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 27 }), fc.integer({ min: 1, max: 31 }))
    fc.assert(
      fc.property(counts, fc.boolean(), fc.infiniteStream(fc.nat()), ([vertex, material], whole, numbers) => {
        const bits = whole ? WHOLE_WORDS : triangleBits(2 ** vertex, 2 ** material)
        const next = (below: number) => numbers.next().value! % below
        const triangles = Array.from({ length: 3 }, (_, i): [number, number, number, number] =>
          i === 1
            ? [2 ** vertex - 1, 2 ** vertex - 1, 2 ** vertex - 1, 2 ** material - 1]
            : [next(2 ** vertex), next(2 ** vertex), next(2 ** vertex), next(2 ** material)],
        )
        const words = new Uint32Array(3 * bits.words).fill(0xdeadbeef)
        for (const triangle of [1, 0, 2]) putTriangle(words, bits, triangle, ...triangles[triangle]!)
        expect(triangles.map((_, triangle) => read(words, bits, triangle))).toEqual(triangles)
      }),
    )
  })
})
