import { readFileSync } from 'node:fs'
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  Scene,
  SphereGeometry,
  TorusKnotGeometry,
} from 'three'
import { describe, expect, it } from 'vitest'
import { readPly } from '../../../../scenes/files/ply/ply.ts'
import { creased } from '../../../../scenes/import/geometry/crease.ts'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { hash32, unitOf } from '../../../../shared/math/random.ts'
import { hasModels, modelAt } from '../../../support/models.ts'

/** The triangles of a geometry with one vertex at each place. */
function welded(geometry: BufferGeometry): { positions: Float32Array; indices: Uint32Array } {
  const { array } = geometry.getAttribute('position')
  const places = new Map<string, number>()
  const positions: number[] = []
  const numbers = Array.from({ length: array.length / 3 }, (_, i) => {
    const at = [0, 1, 2].map(axis => array[i * 3 + axis]!)
    const place = at.map(x => Math.round(x * 1e5) + 0).join()
    if (!places.has(place)) places.set(place, positions.push(...at) / 3 - 1)
    return places.get(place)!
  })
  const index = geometry.index ? [...geometry.index.array] : numbers.keys()
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(index, i => numbers[i]!) }
}

describe('an indexed mesh', () => {
  it.each([1, 7, 100])('that is a box of %d² squares a side gets flat faces', side => {
    const { positions, indices } = welded(new BoxGeometry(1, 1, 1, side, side, side))
    const made = creased(positions, indices)!
    expect(made.indices).toHaveLength(indices.length)
    expect(made.vertices.length / 6).toBe(6 * (side + 1) ** 2)
    let wrong = 0
    for (let corner = 0; corner < indices.length; corner++) {
      const vertex = made.indices[corner]! * 6
      const normal = made.vertices.subarray(vertex + 3, vertex + 6)
      if (!normal.every(x => x === 0 || Math.abs(x) === 1)) wrong++
      for (let axis = 0; axis < 3; axis++)
        if (made.vertices[vertex + axis] !== positions[indices[corner]! * 3 + axis]) wrong++
    }
    expect(wrong).toBe(0)
  })

  it('that is a cylinder keeps its rims, and its wall is round', () => {
    const { positions, indices } = welded(new CylinderGeometry(1, 1, 2, 24, 20))
    const { vertices } = creased(positions, indices)!
    expect(vertices.length / 6).toBe(positions.length / 3 + 2 * 24)
    for (let at = 0; at < vertices.length; at += 6) {
      const up = Math.abs(vertices[at + 4]!)
      expect(Math.min(up, 1 - up)).toBeLessThan(1e-6)
    }
  })

  it.each([
    ['a ball', new SphereGeometry(1, 12, 8)],
    ['a knot', new TorusKnotGeometry(1, 0.3, 100, 16)],
  ])('that is %s stays as it is', (_, geometry) => {
    const { positions, indices } = welded(geometry)
    expect(creased(positions, indices)).toBe(undefined)
  })

  it.each([0.002, 0.01, 0.05, 0.2])('with noise of %d stays as it is', amplitude => {
    const { positions, indices } = welded(new SphereGeometry(1, 200, 100))
    const noisy = positions.map((x, i) => x + amplitude * (unitOf(hash32(7, i)) - 0.5))
    expect(creased(noisy, indices)).toBe(undefined)
  })

  it('of three.js is split where it has no normals', () => {
    const { positions, indices } = welded(new BoxGeometry(1, 1, 1))
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(indices, 1))
    geometry.setAttribute('position', new BufferAttribute(positions, 3))
    const [mesh] = importThree(new Scene().add(new Mesh(geometry, new MeshBasicMaterial()))).description.meshes
    expect(mesh!.attributes).toEqual(['position', 'normal'])
    expect(mesh!.vertices.length / 6).toBe(24)
    expect(positions).toHaveLength(24)
  })

  const scans = ['buddha-100k', 'bunny-69k-ascii', 'dragon-640k']
  it.skipIf(!hasModels('meshes')).each(scans)('that is the scan %s stays as it is (skipped: needs the scans)', name => {
    const { positions, indices } = readPly(readFileSync(modelAt(`meshes/${name}.ply`)), name)
    expect(creased(positions, indices!)).toBe(undefined)
  })
})
