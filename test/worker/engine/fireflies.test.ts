/** What keeps fireflies away: a limit of indirect light, and pictures without caustics. */
import { describe, expect, it } from 'vitest'
import { kernelTracer } from '../../../scripts/bench/pictures/kernel/as-tracer.ts'
import { NIGHT } from '../../../scripts/bench/pictures/known/known-picture.ts'
import type { PlainScene } from '../../../scripts/bench/pictures/model/plain-scene.ts'
import { SceneBuilder } from '../../../scripts/bench/pictures/scenes/meshes.ts'
import { lookingAt, viewOf } from '../../../scripts/bench/pictures/scenes/views.ts'
import type { Quality } from '../../../shared/frame/view.ts'
import type { Light } from '../../../shared/scene/light.ts'
import type { Material } from '../../../shared/scene/material.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const SIDE = 16
const tracer = kernelTracer('kernel', loadWasmEngine('wasm'))
const camera = lookingAt([0, 1.5, 4], [0, 0.4, 0], 40, 1)
const seen = (scene: PlainScene, quality: Partial<Quality> & { bounces: number }) => {
  const view = viewOf(camera, [SIDE, SIDE], { samples: 64, bounces: quality.bounces })
  return tracer.trace(scene, { ...view, quality: { ...view.quality, ...quality } })
}

const LAMP: Light = { kind: 'point', position: [0.6, 1.6, 0.8], intensity: [3, 2.5, 2], radius: 0.1 }
const SUN: Light = { kind: 'distant', direction: [0, 0.6, 0.8], irradiance: [2, 2, 2], angle: 0.08 }

interface Room {
  readonly wall: Partial<Material>
  readonly lights?: readonly Light[]
  /** Of a panel above. */
  readonly emission?: number
}

/** A floor before a wall. */
function room({ wall, lights = [LAMP], emission = 0 }: Room): PlainScene {
  const builder = new SceneBuilder()
  builder.rectangle(builder.material({ color: [0.6, 0.5, 0.4] }), [0, 0, 0], [0, 0, 2], [2, 0, 0])
  builder.rectangle(builder.material(wall), [0, 0.7, -1], [1, 0, 0], [0, 0.6, 0])
  if (emission > 0)
    builder.rectangle(
      builder.material({ color: [0, 0, 0], emission: [emission, emission, emission] }),
      [0, 1.7, 0.5],
      [0.2, 0, 0],
      [0, 0, 0.2],
    )
  return builder.build(NIGHT, lights)
}

const matte: Partial<Material> = { color: [0.8, 0.8, 0.8] }
const mirror: Partial<Material> = { color: [0.9, 0.9, 0.9], metallic: 1, roughness: 0 }
const black: Partial<Material> = { color: [0, 0, 0], metallic: 1, roughness: 0 }
const glossy: Partial<Material> = { color: [0.9, 0.9, 0.9], metallic: 1, roughness: 0.3 }

describe('a limit of indirect light', () => {
  const rooms: [string, PlainScene][] = [
    ['a lamp', room({ wall: glossy })],
    ['a sun', room({ wall: glossy, lights: [SUN] })],
    ['a panel that glows', room({ wall: glossy, lights: [], emission: 30 })],
  ]
  it.each(rooms)('holds for every sample, of %s, and leaves direct light as it is', async (_, scene) => {
    const direct = await seen(scene, { bounces: 0 })
    const all = await seen(scene, { bounces: 1 })
    const clamp = 0.02
    const limited = await seen(scene, { bounces: 1, clamp })
    let taken = 0
    for (const [i, light] of limited.entries()) {
      expect(light).toBeLessThanOrEqual(all[i]!)
      expect(light).toBeGreaterThanOrEqual(direct[i]!)
      // Light that is aimed at, and light that is met.
      expect(light - direct[i]!).toBeLessThan(2 * clamp * (1 + 1e-6))
      taken += all[i]! - light
    }
    expect(taken).toBeGreaterThan(0)
    expect(await seen(scene, { bounces: 0, clamp })).toEqual(direct)
    expect(await seen(scene, { bounces: 1, clamp: 1e6 })).toEqual(all)
  })

  it('keeps colours', async () => {
    const scene = room({ wall: matte, lights: [{ ...LAMP, intensity: [3, 1.5, 0.75] }] })
    const [all, limited] = [
      await seen(scene, { bounces: 1, samples: 1 }),
      await seen(scene, { bounces: 1, samples: 1, clamp: 0.01 }),
    ]
    const direct = await seen(scene, { bounces: 0, samples: 1 })
    for (let i = 0; i < all.length; i += 3) {
      const [red, green] = [all[i]! - direct[i]!, all[i + 1]! - direct[i + 1]!]
      if (red < 1e-3) continue
      const kept = limited[i]! - direct[i]!
      // One contribution may be limited, and another one not.
      expect((limited[i + 1]! - direct[i + 1]!) / kept).toBeCloseTo(green / red, 1)
    }
  })
})

describe('a picture without caustics', () => {
  const lit: [string, Omit<Room, 'wall'>][] = [
    ['a lamp', {}],
    ['a sun', { lights: [SUN] }],
    ['a panel that glows', { lights: [], emission: 30 }],
  ]
  it.each(lit)('has none of the light of %s that a mirror throws onto the floor', async (_, lights) => {
    const scene = room({ ...lights, wall: mirror })
    // Some ten paths find the lamp by way of the mirror.
    const quality = { bounces: 3, samples: 1024 } as const
    const without = await seen(scene, { ...quality, caustics: 'off' })
    const all = await seen(scene, quality)
    // The lower rows show the floor alone.
    const first = SIDE * (SIDE - 5) * 3
    const dark = await seen(room({ ...lights, wall: black }), quality)
    const sum = (light: ArrayLike<number>) =>
      Array.from(light)
        .slice(first)
        .reduce((a, b) => a + b)
    expect(sum(without) / sum(dark)).toBeCloseTo(1, 2)
    expect(sum(all) / sum(dark)).toBeGreaterThan(1.02)
    // And the mirror shows the same floor but for that light.
    for (const [i, light] of without.entries()) expect(light).toBeLessThanOrEqual(all[i]! * (1 + 1e-9))
  })

  it('is the same of rough surfaces', async () => {
    const scene = room({ wall: matte, emission: 5 })
    expect(await seen(scene, { bounces: 3, caustics: 'off' })).toEqual(await seen(scene, { bounces: 3 }))
  })

  it('has less of the light that a glossy surface concentrates', async () => {
    const scene = room({ wall: glossy })
    const sum = (light: ArrayLike<number>) => Array.from(light).reduce((a, b) => a + b)
    const without = sum(await seen(scene, { bounces: 3, caustics: 'off' }))
    expect(without / sum(await seen(scene, { bounces: 3 }))).toBeLessThan(0.995)
  })
})
