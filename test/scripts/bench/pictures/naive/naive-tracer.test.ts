/** What formulas do not tell of the naive tracer: its noise, its seeds, and its rules. */
import { describe, expect, it } from 'vitest'
import type { PlainScene } from '../../../../../scripts/bench/pictures/model/plain-scene.ts'
import { NaiveTracer } from '../../../../../scripts/bench/pictures/naive/naive-tracer.ts'
import { SceneBuilder } from '../../../../../scripts/bench/pictures/scenes/meshes.ts'
import { lookingAt, parallelTo, viewOf } from '../../../../../scripts/bench/pictures/scenes/views.ts'
import type { Camera, Vec3, View } from '../../../../../shared/frame/view.ts'
import type { Sky } from '../../../../../shared/scene/environment.ts'
import type { Light } from '../../../../../shared/scene/light.ts'
import type { Material } from '../../../../../shared/scene/material.ts'

const sky = (level: number): Sky => {
  const color: Vec3 = [level, level, level]
  return { kind: 'sky', zenith: color, horizon: color, ground: color }
}
const HALF_SKY: Sky = { ...sky(0), zenith: [1, 1, 1] }
const trace = (scene: PlainScene, view: View, { seed = 1, compensation = true } = {}) =>
  new NaiveTracer(scene, { compensation }).trace(view, seed)
const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length
const ABOVE = parallelTo([0, 3, 0], [0, 0, 0], 0.5, [0, 0, -1])

function floorWith(material: Partial<Material>, environment = HALF_SKY, lights: readonly Light[] = []): PlainScene {
  const builder = new SceneBuilder()
  builder.rectangle(builder.material(material), [0, 0, 0], [0, 0, 2], [2, 0, 0])
  return builder.build(environment, lights)
}

describe('noise', () => {
  const scene = floorWith({ color: [0.5, 0.5, 0.5] })
  const view = viewOf(ABOVE, [4, 4], { samples: 32, bounces: 0 })

  it('is the same with the same seed and frame, and another with others', () => {
    const { mean } = trace(scene, view)
    expect(trace(scene, view).mean).toEqual(mean)
    expect(trace(scene, view, { seed: 2 }).mean).not.toEqual(mean)
    expect(trace(scene, { ...view, frame: 1 }).mean).not.toEqual(mean)
  })

  it('is as large as stated', () => {
    const pictures = Array.from({ length: 60 }, (_, seed) => trace(scene, view, { seed }))
    const stated = meanOf(Float64Array.from(pictures, ({ variance }) => meanOf(variance)))
    const found = meanOf(
      pictures[0]!.mean.map((_, i) => {
        const values = Float64Array.from(pictures, ({ mean }) => mean[i]!)
        const average = meanOf(values)
        return values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1)
      }),
    )
    expect(stated).toBeGreaterThan(0)
    expect(found / stated).toBeGreaterThan(0.8)
    expect(found / stated).toBeLessThan(1.25)
  })
})

describe('rules of the naive tracer', () => {
  it('hits of camera rays count within the depth range only', () => {
    const scene = floorWith({ color: [0, 0, 0] }, sky(1))
    const at = (range: Partial<Camera>) =>
      meanOf(trace(scene, viewOf({ ...ABOVE, ...range }, [2, 2], { samples: 4, bounces: 0 })).mean)
    expect([at({}), at({ near: 4 }), at({ far: 2 })]).toEqual([0, 1, 1])
    // Along a slanting ray depth is not distance: the floor is at depth 3 everywhere.
    const perspective = lookingAt([0, 3, 0], [0, 0, 0], 60, 1, [0, 0, -1])
    expect([at({ ...perspective, far: 3.01 }), at({ ...perspective, far: 2.99 })]).toEqual([0, 1])
  })

  it('a direction that only the shading normal allows is absorbed', () => {
    const mirror = floorWith({ metallic: 1, roughness: 0 }, sky(1))
    // Leaning by 50°: light from straight above is mirrored into the floor.
    const lean: Vec3 = [Math.sin((50 / 180) * Math.PI), Math.cos((50 / 180) * Math.PI), 0]
    const normals = mirror.normals.map((_, i) => lean[(i % 3) as 0])
    const view = viewOf(ABOVE, [2, 2], { samples: 4, bounces: 0 })
    expect(meanOf(trace(mirror, view).mean)).toBeCloseTo(1, 12)
    expect(meanOf(trace({ ...mirror, normals }, view).mean)).toBe(0)
  })

  it('both sides of an opaque surface shade alike', () => {
    const scene = floorWith({ color: [0.5, 0.5, 0.5], roughness: 0.4 }, sky(1))
    const below = parallelTo([0, -3, 0], [0, 0, 0], 0.5, [0, 0, -1])
    const [over, under] = [ABOVE, below].map(camera =>
      meanOf(trace(scene, viewOf(camera, [8, 8], { samples: 64, bounces: 0 })).mean),
    )
    expect(over! / under!).toBeCloseTo(1, 1.5)
  })

  it('rough metal loses light without compensation', () => {
    const scene = floorWith({ metallic: 1, roughness: 0.9 }, sky(1))
    const view = viewOf(ABOVE, [8, 8], { samples: 64, bounces: 0 })
    expect(meanOf(trace(scene, view).mean)).toBeCloseTo(1, 1.5)
    expect(meanOf(trace(scene, view, { compensation: false }).mean)).toBeLessThan(0.9)
  })

  it('a surface that emits is seen from both sides, and scatters, too', () => {
    const scene = floorWith({ color: [0.5, 0.5, 0.5], emission: [0.25, 0.5, 1] }, sky(1))
    for (const y of [3, -3]) {
      const camera = parallelTo([0, y, 0], [0, 0, 0], 0.5, [0, 0, -1])
      const { mean } = trace(scene, viewOf(camera, [1, 1], { samples: 4, bounces: 0 }))
      expect([...mean]).toEqual([0.75, 1, 1.5])
    }
  })

  it.each<[string, Light]>([
    ['point', { kind: 'point', position: [0, 1, 0], intensity: [1, 1, 1], radius: 0 }],
    ['distant', { kind: 'distant', direction: [0, 1, 0], irradiance: [1, 1, 1], angle: 0 }],
  ])('a %s light without a size is refused: nothing finds it', (kind, light) => {
    const view = viewOf(ABOVE, [2, 2], { samples: 4, bounces: 0 })
    expect(() => trace(floorWith({}, HALF_SKY, [light]), view)).toThrow(`${kind} light`)
  })
})
