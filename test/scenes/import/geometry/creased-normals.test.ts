import { BoxGeometry, CylinderGeometry, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { creasedNormals } from '../../../../scenes/import/geometry/creased-normals.ts'

const soup = (geometry: { toNonIndexed(): { getAttribute(name: 'position'): { array: ArrayLike<number> } } }) =>
  Float32Array.from(geometry.toNonIndexed().getAttribute('position').array)

const at = (array: Float32Array, vertex: number) => array.subarray(vertex * 3, vertex * 3 + 3)
const dot = (a: Float32Array, b: Float32Array) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!

describe('creased normals', () => {
  it('keep the edges of a box', () => {
    const normals = creasedNormals(soup(new BoxGeometry(1, 2, 3)))
    for (const value of normals) expect([-1, 0, 1]).toContain(value + 0)
  })

  it('smooth a sphere: every normal points from the centre', () => {
    const positions = soup(new SphereGeometry(1, 24, 16))
    const normals = creasedNormals(positions)
    for (let vertex = 0; vertex < positions.length / 3; vertex++)
      // Triangles at the poles without area have no normal of their own and nobody sees them.
      expect(dot(at(normals, vertex), at(positions, vertex)), `vertex ${vertex}`).toBeGreaterThan(0.98)
  })

  it('smooth the wall of a cylinder and keep its rims', () => {
    const positions = soup(new CylinderGeometry(1, 1, 2, 24))
    const normals = creasedNormals(positions)
    for (let vertex = 0; vertex < positions.length / 3; vertex++) {
      const y = at(normals, vertex)[1]!
      expect(Math.min(Math.abs(y), Math.abs(Math.abs(y) - 1))).toBeLessThan(1e-6)
    }
  })

  it('take −0 for 0, and give zeros where there is no area', () => {
    const normals = creasedNormals(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, -0, 0, -0, 0, 1, 0, -1, 0, 0]))
    expect([...normals.subarray(0, 3)]).toEqual([0, 0, 1])
    expect([...normals.subarray(9, 12)]).toEqual([0, 0, 1])
    expect([...creasedNormals(new Float32Array(9))]).toEqual(new Array(9).fill(0))
    expect(creasedNormals(new Float32Array(0))).toHaveLength(0)
  })

  it('stay quick where very many faces meet', () => {
    const faces = 20000
    const positions = new Float32Array(faces * 9)
    for (let face = 0; face < faces; face++) {
      const [a, b] = [(face * 2 * Math.PI) / faces, ((face + 1) * 2 * Math.PI) / faces]
      positions.set([0, 1, 0, Math.sin(a), 0, Math.cos(a), Math.sin(b), 0, Math.cos(b)], face * 9)
    }
    const normals = creasedNormals(positions)
    expect(Math.abs(normals[1]! - Math.SQRT1_2)).toBeLessThan(1e-3)
  })
})
