/** Normals, positions, depths and triangles of the rays through the centres of pixels: of what the picture shows there. */
import { describe, expect, it } from 'vitest'
import type { Quality } from '../../../shared/frame/view.ts'
import type { Material } from '../../../shared/scene/material.ts'
import { usableEngines } from '../support/engines.ts'
import { type Layer, pictureOf, seenBy } from '../support/stacked.ts'

const AMBIENT: Quality = { samples: 1, ambientRays: 0, maxDepth: 2 }
const PATH: Quality = { samples: 1, ambientRays: 0, maxDepth: 0, bounces: 1 }
const use = { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } as const
/** Left half see-through, right half not. */
const HALVES = pictureOf(2, [255, 255, 255, 0], [255, 255, 255, 255])
const SIDE = 8
const WALL: Layer = { z: -2, material: {} }
const LEAF: Partial<Material> = { alpha: 'mask', alphaCutoff: 0.5, maps: { color: use } }
const lerp = (pixel: number) => ((pixel % SIDE) + 0.5) / (SIDE / 2) - 1

/** Of each pixel: whether it shows the wall behind a layer. */
function wallShows(name: (typeof usableEngines)[number], layer: Layer, quality: Quality): boolean[] {
  const { centre } = seenBy(name, { layers: [WALL, layer], textures: [HALVES] }, quality, SIDE)
  return Array.from(centre.depth, (depth, pixel) => {
    const isWall = depth > 9
    const far = isWall ? 10 : 8
    expect(depth).toBeCloseTo(far, 4)
    const [x, y, z] = centre.position.subarray(pixel * 3)
    // A square of side 2 at a distance of 8 fills the frame.
    expect(x).toBeCloseTo((lerp(pixel) * far) / 8, 4)
    expect(y).toBeCloseTo((-lerp(Math.floor(pixel / SIDE)) * far) / 8, 4)
    expect(z).toBeCloseTo(8 - far, 4)
    expect([...centre.normal.subarray(pixel * 3, pixel * 3 + 3)]).toEqual([0, 0, 1])
    expect(centre.id[pixel]! <= 2).toBe(isWall)
    expect([centre.objectId[pixel], centre.materialId[pixel]]).toEqual(isWall ? [1, 11] : [2, 12])
    return isWall
  })
}

describe.each(usableEngines)('with the engine %s', name => {
  describe.each([
    ['ambient', AMBIENT],
    ['path', PATH],
  ] as const)('channels of the integrator %s', (_, quality) => {
    it('are those behind a mask where it is cut out', () => {
      const shows = wallShows(name, { z: 0, material: LEAF }, quality)
      expect(shows).toEqual(shows.map((_, pixel) => pixel % SIDE < SIDE / 2))
    })

    it.each<[what: string, layer: Layer, isSeenThrough: boolean]>([
      ['a blend of which something is left', { z: 0, material: { alpha: 'blend', opacity: 0.01 } }, false],
      ['a blend of which nothing is left', { z: 0, material: { alpha: 'blend', opacity: 0 } }, true],
      ['the front of what shows one side', { z: 0, material: { culled: true } }, false],
      ['the back of it', { z: 0, material: { culled: true }, turned: true }, true],
      ['glass', { z: 0, material: { transmission: 1, roughness: 0, thin: true } }, false],
    ])('beside %s', (_, layer, isSeenThrough) => {
      expect(new Set(wallShows(name, layer, quality))).toEqual(new Set([isSeenThrough]))
    })

    it('are nothing where all that a ray meets lets it pass', () => {
      const clear: Layer = { z: 0, material: { alpha: 'blend', opacity: 0 } }
      const { centre } = seenBy(name, { layers: [clear, { ...clear, z: -2 }] }, quality, SIDE)
      for (const ids of [centre.id, centre.objectId, centre.materialId]) expect(new Set(ids)).toEqual(new Set([0]))
      expect(new Set(centre.depth)).toEqual(new Set([Number.POSITIVE_INFINITY]))
      for (const plane of [centre.normal, centre.mappedNormal, centre.position])
        expect(new Set(plane)).toEqual(new Set([0]))
    })

    it('have normals as the surface is, and as a map turns it', () => {
      // 0.6 to the right, 0.8 outwards.
      const texture = pictureOf(1, [204, 128, 230, 255])
      const layers: Layer[] = [{ z: 0, material: { maps: { normal: use } } }]
      const { centre } = seenBy(name, { layers, textures: [texture] }, quality, SIDE)
      for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
        expect([...centre.normal.subarray(pixel * 3, pixel * 3 + 3)]).toEqual([0, 0, 1])
        const [x, y, z] = centre.mappedNormal.subarray(pixel * 3)
        expect(x).toBeCloseTo(0.6, 2)
        expect(y).toBeCloseTo(0, 2)
        expect(z).toBeCloseTo(0.8, 2)
      }
    })

    it('have the same normals where no map turns them', () => {
      const { centre } = seenBy(name, { layers: [{ z: 0, material: LEAF }], textures: [HALVES] }, quality, SIDE)
      expect(centre.mappedNormal).toEqual(centre.normal)
    })
  })
})
