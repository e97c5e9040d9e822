import { expect, it } from 'vitest'
import { formatBytes, triangleText } from '../../../../scripts/report/figures/numbers.ts'

it('tells the triangles of a mesh and of its floor apart', () => {
  expect(triangleText({ triangles: 18_446, floorTriangles: 18_434 })).toBe('12 triangles, and 18,434 of the floor')
  expect(triangleText({ triangles: 18_435, floorTriangles: 18_434 })).toBe('1 triangle, and 18,434 of the floor')
  expect(triangleText({ triangles: 871_414, floorTriangles: 0 })).toBe('871,414 triangles')
  expect(triangleText({ triangles: 6 })).toBe('6 triangles')
})

it('tells bytes in the unit that suits them', () => {
  const texts = [0, 1, 812, 42_189, 2 ** 20, 8.3 * 2 ** 20, 2 ** 30].map(formatBytes)
  expect(texts).toEqual(['0 bytes', '1 byte', '812 bytes', '41.2 KiB', '1.0 MiB', '8.3 MiB', '1,024 MiB'])
})
