import { Box3, type Object3D, Scene, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../scenes/import/import-three.ts'
import { addDaylight } from '../../../scenes/import/lights/daylight.ts'
import { floorUnder, tiledFloor, tiledGround } from '../../../scenes/look/floor.ts'
import { fadeGround } from '../../../scenes/look/haze.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cornerOf, materialOf, type Triangles, triangleCount } from '../../../shared/scene/bake.ts'
import { bakedThree } from '../../support/baked.ts'
import { cornersOf, verticesOf } from '../../support/triangles.ts'

const tones: readonly [Vec3, Vec3] = [
  [0.8, 0.6, 0.4],
  [0.2, 0.2, 0.2],
]

const flat = (floor: Object3D) => bakedThree(new Scene().add(floor)).data

/** Of the triangle's shadow on the ground; negative for one that is clockwise from above. */
function areaFromAbove(data: Triangles, triangle: number): number {
  const [a, b, c] = cornersOf(data, triangle)
  return ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / 2
}

describe('the floor', () => {
  it('has two materials by name, whatever their shades', () => {
    const { names } = importThree(new Scene().add(tiledGround({ y: 0, tile: 1, tiles: 40, tones })))
    expect(names).toEqual({ objects: ['tiles', 'ground'], materials: ['tiles', 'ground'] })
  })

  it('is a checkerboard that faces up, without holes or overlaps', () => {
    const data = flat(tiledFloor({ y: 2, centre: [1, -1], tile: 0.5, tiles: 6, tones }))
    expect(triangleCount(data)).toBe(6 * 6 * 2)
    const tiles = new Set<string>()
    let area = 0
    for (let triangle = 0; triangle < triangleCount(data); triangle++) {
      const [x, y, z] = cornerOf(data, triangle, 0)
      expect(y).toBe(2)
      expect(areaFromAbove(data, triangle)).toBeGreaterThan(0)
      area += areaFromAbove(data, triangle)
      const column = Math.round((x - 1) / 0.5 + 3)
      const row = Math.round((z + 1) / 0.5 + 3)
      tiles.add(`${column},${row}`)
      expect(materialOf(data, triangle)).toBe((row + column) % 2)
    }
    expect(tiles.size).toBe(36)
    expect(area).toBeCloseTo(9, 5)
  })

  it('can be round', () => {
    const tiles = triangleCount(flat(tiledFloor({ y: 0, tile: 1, tiles: 10, radius: 4, tones }))) / 2
    expect(tiles).toBeLessThan(60)
    expect(tiles).toBeGreaterThan(40)
  })

  it('goes on as bare ground, a hair lower, without a step between tiles and ground', () => {
    const { data } = bakedThree(new Scene().add(tiledGround({ y: 1, tile: 0.5, tiles: 48, tones })))
    for (const { position, normal } of verticesOf(data)) {
      expect([0.999, 1]).toContain(+position[1]!.toFixed(6))
      expect(normal).toEqual([0, 1, 0])
    }
    let area = 0
    for (let triangle = 0; triangle < triangleCount(data); triangle++)
      if (cornerOf(data, triangle, 0)[1] < 1) area += areaFromAbove(data, triangle)
    expect(area / (Math.PI * 200 * 200)).toBeCloseTo(1, 2)
  })

  it('fades into the horizon: ever nearer to it, until it shines as the sky there does', () => {
    const scene = new Scene().add(tiledGround({ y: 0, tile: 1, tiles: 48, tones }))
    addDaylight(scene)
    fadeGround(scene)
    const { sky, sun, ...data } = bakedThree(scene).data
    const step = (far: number, horizon: number) => horizon + (far - horizon) * (5 / 6)
    const colors = data.materials.map(material => material.color)
    for (const channel of [0, 1, 2] as const) {
      const light =
        step(sky.zenith[channel], sky.horizon[channel]) + (sun.irradiance[channel] * sun.direction[1]) / Math.PI
      const rings = colors.slice(-24).map(color => (color[channel] * light) / sky.horizon[channel])
      expect(rings.at(-1)).toBeCloseTo(1, 2)
      const gaps = rings.map(ring => Math.abs(ring - 1))
      gaps.slice(1).forEach((gap, i) => {
        expect(gap).toBeLessThanOrEqual(gaps[i]! + 1e-6)
        expect(gaps[i]! - gap).toBeLessThan(0.06)
      })
    }
    const before = JSON.stringify(colors)
    fadeGround(scene)
    expect(JSON.stringify(bakedThree(scene).data.materials.map(material => material.color))).toBe(before)
  })

  it.each([1e-3, 1, 1e4])('lies under a subject of size %d and reaches far beyond it', size => {
    const subject = new Box3(new Vector3(size, 5 * size, 0), new Vector3(2 * size, 7 * size, size))
    const box = new Box3().setFromObject(floorUnder(subject))
    expect(box.max.y).toBeLessThan(subject.min.y)
    expect(box.max.y).toBeGreaterThan(subject.min.y - size * 0.01)
    expect(box.min.x).toBeLessThan(subject.min.x - 10 * size)
    expect(box.max.z).toBeGreaterThan(subject.max.z + 10 * size)
  })
})
