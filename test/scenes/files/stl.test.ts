import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadMeshError, BadVertexError, EmptySceneError, TruncatedMeshError } from '../../../scenes/errors.ts'
import { readStl } from '../../../scenes/files/stl.ts'
import { bytesOf } from './ply/ply-bytes.ts'
import { binaryStl, textStl } from './stl-bytes.ts'

const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0]
const read = (bytes: Uint8Array) => readStl(bytes, 'part.stl')
const readText = (text: string) => read(bytesOf(text))

describe('STL', () => {
  it('reads text and binary alike', () => {
    const value = fc.float({ noNaN: true, min: -1e6, max: 1e6 }).map(number => number + 0)
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 9 }), facets => {
        const expected = { positions: Float32Array.from(facets.flat()) }
        expect(read(binaryStl(facets))).toEqual(expected)
        expect(readText(textStl(facets))).toEqual(expected)
        expect(readText(`\ufeff${textStl(facets).toUpperCase().replaceAll('\n', '\r\n')}`)).toEqual(expected)
      }),
    )
  })

  it('reads several solids, and a binary file that begins with solid', () => {
    expect(readText(textStl([TRIANGLE]) + textStl([TRIANGLE])).positions).toHaveLength(18)
    const binary = binaryStl([TRIANGLE])
    binary.set(bytesOf('solid part'))
    expect(read(binary).positions).toHaveLength(9)
  })

  it('refuses every cut of a binary file, and every cut of a text between lines', () => {
    const whole = binaryStl([TRIANGLE, TRIANGLE])
    for (let length = 0; length < whole.length; length++)
      expect(() => read(whole.subarray(0, length)), `${length} bytes`).toThrow(
        length < 84 ? BadMeshError : TruncatedMeshError,
      )
    const lines = textStl([TRIANGLE, TRIANGLE]).trimEnd().split('\n')
    for (let count = 1; count < lines.length; count++)
      expect(() => readText(lines.slice(0, count).join('\n')), `${count} lines`).toThrow(TruncatedMeshError)
  })

  it.each([
    [
      'a NaN in text',
      textStl([TRIANGLE]).replace('vertex 1 0 0', 'vertex 1 nan 0'),
      BadVertexError,
      'vertex 1: expected',
    ],
    ['an infinity in text', textStl([TRIANGLE]).replace('vertex 0 1 0', 'vertex 0 -inf 0'), BadVertexError, 'vertex 2'],
    ['a word', textStl([TRIANGLE]).replace('vertex 1 0 0', 'vertex 1 zero 0'), BadMeshError, "got '1 zero 0'"],
    ['two numbers', textStl([TRIANGLE]).replace('vertex 1 0 0', 'vertex 1 0'), BadMeshError, "got '1 0'"],
    ['two corners', textStl([TRIANGLE]).replace('vertex 1 0 0\n', ''), BadMeshError, 'expected three corners, got 2'],
    [
      'four corners',
      textStl([TRIANGLE]).replace('endloop', 'vertex 0 0 0'),
      BadMeshError,
      'expected three corners, got more',
    ],
    ['other lines', textStl([TRIANGLE]).replace('outer', 'inner'), BadMeshError, "got 'inner loop'"],
    ['no facets', textStl([]), EmptySceneError, 'at least one triangle'],
    ['something else', 'hello', BadMeshError, 'is not an STL file'],
  ])('refuses %s', (_, text, error, message) => {
    expect(() => readText(text)).toThrow(error)
    expect(() => readText(text)).toThrow(message)
  })

  it('refuses binary files without triangles or with a vertex that is not finite', () => {
    expect(() => read(binaryStl([]))).toThrow(EmptySceneError)
    expect(() => read(binaryStl([TRIANGLE, [0, 0, 0, 0, Number.NaN, 0, 1, 1, 1]]))).toThrow('vertex 4: expected')
  })

  it('ends in a mesh or in an error of ours, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
        try {
          expect(read(bytes).positions.length % 9).toBe(0)
        } catch (error) {
          expect(error).toHaveProperty('exitCode', 2)
        }
      }),
    )
  })
})
