import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadMeshError, TruncatedMeshError } from '../../../../scenes/errors.ts'
import { readPly } from '../../../../scenes/files/ply/ply.ts'
import { bytesOf, textPly } from './ply-bytes.ts'

const QUAD = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [0, 1, 0],
  ],
  faces: [
    [0, 1, 2],
    [0, 2, 3],
  ],
}
const LINES = textPly(QUAD).trimEnd().split('\n')
/** Lines before the first vertex. */
const HEADER = LINES.indexOf('end_header') + 1
const read = (text: string) => readPly(bytesOf(text), 'mesh.ply')

describe('lines of a PLY text', () => {
  it('may have words beyond their row, which are counted and ignored', () => {
    const extra = fc.constantFrom('', ' ', '\t ', ' 255', ' 1 2 3', '\tred # green', ' nan')
    const extras = fc.array(extra, { minLength: LINES.length - HEADER, maxLength: LINES.length - HEADER })
    fc.assert(
      fc.property(extras, fc.constantFrom('\n', '\r\n', '\r', '\n\n'), fc.boolean(), (extras, end, ended) => {
        const lines = [...LINES.slice(0, HEADER), ...LINES.slice(HEADER).map((line, i) => line + extras[i])]
        // Blank lines only in the body: the header ends with one line break.
        const start = lines.slice(0, HEADER).join(end === '\n\n' ? '\n' : end)
        const text = start + (end === '\n\n' ? '\n' : end) + lines.slice(HEADER).join(end) + (ended ? end : '')
        const { problems, ...mesh } = read(text)
        const { problems: _, ...expected } = read(LINES.join('\n'))
        expect(mesh).toEqual(expected)
        const long = extras.flatMap((words, i) => (words.trim() === '' ? [] : [i]))
        const first = HEADER + 1 + long[0]! * (end === '\n\n' ? 2 : 1)
        if (long.length === 0) expect(problems).toEqual([])
        else
          expect(problems).toEqual([
            long.length === 1
              ? `line ${first} has more words than the header promises: the rest of the line was ignored`
              : `${long.length} lines have more words than the header promises, the first is line ${first}: the rest of the line was ignored`,
          ])
      }),
    )
  })

  it('may be broken within rows, all of them alike', () => {
    const text = [...LINES.slice(0, HEADER), ...LINES.slice(HEADER).map(line => line.replaceAll(' ', '\n'))].join('\n')
    expect(read(text)).toEqual(read(LINES.join('\n')))
  })

  it('that lack a word are refused, whichever it is', () => {
    for (let line = HEADER; line < LINES.length; line++) {
      const short = LINES.with(line, LINES[line]!.split(' ').slice(0, -1).join(' '))
      expect(() => read(short.join('\n')), `line ${line + 1}`).toThrow(
        line === LINES.length - 1 ? TruncatedMeshError : BadMeshError,
      )
      if (line < LINES.length - 1)
        expect(() => read(short.join('\n'))).toThrow(
          `mesh.ply: line ${line + 1}: expected as many words as the header promises, got fewer (and more in line ${line + 2})`,
        )
    }
  })

  it('of several rows are not the rows that were promised', () => {
    const text = LINES.join('\n').replace('0 0 0\n1 0 0', '0 0 0 1 0 0')
    expect(() => read(text)).toThrow(
      `within face 1; 2 lines have more words than the header promises, the first is line ${HEADER + 1}`,
    )
  })
})
