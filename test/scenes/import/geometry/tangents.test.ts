/** Tangents for textures of normals: towards where u grows, and the side on which the picture's rows begin. */
import { BufferAttribute, BufferGeometry, PlaneGeometry, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { withTangents } from '../../../../scenes/import/geometry/tangents.ts'

const wish = { channel: 0, flipped: true, facetted: false } as const
const tangentsOf = (geometry: BufferGeometry) => geometry.getAttribute('tangent').array
const cornersOf = (geometry: BufferGeometry, name: string) =>
  Array.from(geometry.index!.array, vertex =>
    Array.from({ length: geometry.getAttribute(name).itemSize }, (_, i) =>
      geometry.getAttribute(name).getComponent(vertex, i),
    ),
  )

describe('tangents', () => {
  it('of a plane lie along u, with a bitangent along v, or against it where pictures begin at v = 0', () => {
    const plane = new PlaneGeometry(2, 3, 2, 2)
    for (const flipped of [true, false]) {
      const made = withTangents(plane, { ...wish, flipped })
      expect(made.getAttribute('position').count).toBe(9)
      for (let at = 0; at < 36; at += 4)
        expect([...tangentsOf(made).slice(at, at + 4)]).toEqual([1, 0, 0, flipped ? 1 : -1])
    }
  })

  it('lie across the normals of a sphere, and leave its corners as they are', () => {
    const sphere = new SphereGeometry(1, 24, 16)
    const made = withTangents(sphere, wish)
    for (const name of ['position', 'normal', 'uv']) expect(cornersOf(made, name)).toEqual(cornersOf(sphere, name))
    const normals = cornersOf(made, 'normal')
    cornersOf(made, 'tangent').forEach(([x, y, z, w], i) => {
      const [nx, ny, nz] = normals[i]!
      expect(Math.abs(x! * nx! + y! * ny! + z! * nz!)).toBeLessThan(1e-4)
      expect(Math.abs(w!)).toBe(1)
    })
  })

  it('split a vertex where the texture turns around', () => {
    const geometry = new BufferGeometry()
    // Two triangles with a common edge; the second one's picture is mirrored.
    geometry.setAttribute('position', new BufferAttribute(Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0), 3))
    geometry.setAttribute('normal', new BufferAttribute(Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1), 3))
    geometry.setAttribute('uv', new BufferAttribute(Float32Array.of(0, 0, 0, 1, 1, 0, 1, 0), 2))
    geometry.setIndex([0, 2, 1, 0, 1, 3])
    const made = withTangents(geometry, wish)
    expect(made.getAttribute('position').count).toBe(6)
    const [first, second] = [cornersOf(made, 'tangent')[0]!, cornersOf(made, 'tangent')[3]!]
    expect(first).toEqual([1, 0, 0, 1])
    expect(second).toEqual([-1, 0, 0, -1])
  })

  it('follow the coordinates of the texture, of flat triangles, too', () => {
    const plane = new PlaneGeometry()
    plane.setAttribute('uv1', new BufferAttribute(Float32Array.of(0, 0, 0, 1, 1, 0, 1, 1), 2))
    const [x, y] = tangentsOf(withTangents(plane, { ...wish, channel: 1 }))
    expect([x, y]).toEqual([0, -1])
    const flat = withTangents(new SphereGeometry(1, 6, 4), { ...wish, facetted: true })
    expect(flat.getAttribute('position').count).toBe(flat.index!.count)
  })

  it('stay away where there are some, or no coordinates', () => {
    const plane = new PlaneGeometry()
    plane.setAttribute('tangent', new BufferAttribute(new Float32Array(16), 4))
    expect(withTangents(plane, wish)).toBe(plane)
    const bare = new PlaneGeometry().deleteAttribute('uv')
    expect(withTangents(bare, wish)).toBe(bare)
  })
})
