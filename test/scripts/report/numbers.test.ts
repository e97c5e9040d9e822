import { expect, it } from 'vitest'
import { triangleText } from '../../../scripts/report/numbers.ts'

it('tells the triangles of a mesh and of its floor apart', () => {
  expect(triangleText({ triangles: 18_446, floorTriangles: 18_434 })).toBe('12 triangles, and 18,434 of the floor')
  expect(triangleText({ triangles: 18_435, floorTriangles: 18_434 })).toBe('1 triangle, and 18,434 of the floor')
  expect(triangleText({ triangles: 871_414, floorTriangles: 0 })).toBe('871,414 triangles')
  expect(triangleText({ triangles: 6 })).toBe('6 triangles')
})
