import { describe, expect, it } from 'vitest'
import { weld } from '../../../../../scripts/bench/pictures/cycles/weld.ts'
import { SceneBuilder } from '../../../../../scripts/bench/pictures/scenes/meshes.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'

const DARK = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] } as const

function welded(fill: (builder: SceneBuilder) => void) {
  const builder = new SceneBuilder()
  builder.material({})
  fill(builder)
  const { positions, normals } = builder.build(DARK)
  return { positions, source: normals, ...weld(positions, normals) }
}

describe('welding', () => {
  it('keeps every corner where it was', () => {
    const { positions, vertices, corners } = welded(builder => builder.ball(0, [0.1, 0.2, 0.3], 1, { rounded: true }))
    expect([...corners].flatMap(vertex => [...vertices.subarray(vertex * 3, vertex * 3 + 3)])).toEqual([...positions])
  })

  it('shares the vertices of flat triangles whatever their normals', () => {
    const { vertices, normals } = welded(builder => builder.box(0, [0, 0, 0], [1, 2, 3]))
    expect(vertices.length / 3).toBe(8)
    expect(normals.every(value => value === 0)).toBe(true)
  })

  it('keeps shading normals that are not those of the triangles', () => {
    const { source, normals, corners } = welded(builder => builder.ball(0, [0, 0, 0], 1, { rounded: true }))
    const kept = [...corners].flatMap(vertex => [...normals.subarray(vertex * 3, vertex * 3 + 3)])
    kept.forEach((value, i) => void expect(value).toBeCloseTo(source[i]!, 6))
  })

  it('keeps a smooth triangle apart from a flat one', () => {
    const [a, b, c, d]: Vec3[] = [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
    ]
    const { vertices } = welded(builder => {
      builder.triangle(0, [a!, b!, c!])
      const tilted: Vec3 = [0, 0.6, 0.8]
      builder.triangle(0, [a!, c!, d!], [tilted, tilted, tilted])
    })
    expect(vertices.length / 3).toBe(6)
  })

  it('takes a scene without triangles', () => {
    expect(welded(() => {}).corners).toHaveLength(0)
  })
})
