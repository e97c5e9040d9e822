import { generate } from 'lean-qr/nano'
import { expect, it } from 'vitest'
import { QUIET, qrCode } from '../../../shared/page/qr-code.ts'

const LINK = `https://master.example:7411/prefix/join#${'aZ0_-'.repeat(8)}xyz`

/** The modules that a path covers: each exactly once. */
function covered(path: string, size: number): boolean[][] {
  const dark = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)]
  expect(runs.map(([text]) => text).join('')).toBe(path)
  for (const [x, y, width, back] of runs.map(
    ([, ...numbers]) => numbers.map(Number) as [number, number, number, number],
  )) {
    expect(back).toBe(width)
    for (let i = 0; i < width; i++) {
      expect(dark[y]![x + i]).toBe(false)
      dark[y]![x + i] = true
    }
  }
  return dark
}

it.each([LINK, '', 'http://10.0.0.1:7411/join#x', 'a'.repeat(2000)])('has the modules of the code of %s', text => {
  const { size, path } = qrCode(text)!
  const code = generate(text)
  expect(size).toBe(code.size + 8)
  const dark = covered(path, size)
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) expect(dark[y]![x]).toBe(Boolean(code.get(x - QUIET, y - QUIET)))
  // Three corners have the pattern by which readers find it, and a light edge around it.
  const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111']
  for (const [left, top] of [
    [QUIET, QUIET],
    [size - QUIET - 7, QUIET],
    [QUIET, size - QUIET - 7],
  ] as const)
    expect(
      finder.map((_, y) =>
        dark[top + y]!.slice(left, left + 7)
          .map(Number)
          .join(''),
      ),
    ).toEqual(finder)
})

it('is none of a text that is too long', () => {
  expect(qrCode('a'.repeat(3000))).toBeUndefined()
})
