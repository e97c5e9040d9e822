/** Sheets of clear glass that are in part not there: what passes beside the glass is not tinted, and what meets it is mirrored or tinted. */
import { expect, it } from 'vitest'
import { kernelTracer } from '../../../scripts/bench/pictures/kernel/as-tracer.ts'
import { NIGHT } from '../../../scripts/bench/pictures/known/known-picture.ts'
import type { PlainScene } from '../../../scripts/bench/pictures/model/plain-scene.ts'
import { SceneBuilder } from '../../../scripts/bench/pictures/scenes/meshes.ts'
import { lookingAt, viewOf } from '../../../scripts/bench/pictures/scenes/views.ts'
import type { Light } from '../../../shared/scene/light.ts'
import type { Material } from '../../../shared/scene/material.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const SIDE = 8
const tracer = kernelTracer('kernel', loadWasmEngine('wasm'))
const SHEET: Partial<Material> = { transmission: 1, thin: true, roughness: 0 }
const POINT: Light = { kind: 'point', position: [0, 2, 0], intensity: [2, 2, 2], radius: 0 }
/** What scattered rays find as well as next-event estimation does. */
const WIDE: Light = { kind: 'distant', direction: [0, 1, 0], irradiance: [2, 2, 2], angle: 0.3 }
const below = lookingAt([0, 0.8, 2], [0, 0, 0], 30, 1)
const above = lookingAt([0, 1.6, 2], [0, 0, 0], 30, 1)

/** A floor, and a sheet above it. */
function room(sheet: Partial<Material>, lights: readonly Light[]): PlainScene {
  const builder = new SceneBuilder()
  builder.rectangle(builder.material({ color: [0.5, 0.5, 0.5] }), [0, 0, 0], [0, 0, 2], [2, 0, 0])
  builder.rectangle(builder.material({ ...SHEET, ...sheet }), [0, 1, 0], [0, 0, 1.5], [1.5, 0, 0])
  return builder.build(NIGHT, lights)
}

async function mean(scene: PlainScene, camera = below, samples = 64): Promise<number> {
  const light = await tracer.trace(scene, viewOf(camera, [SIDE, SIDE], { samples, bounces: 1 }))
  return light.reduce((sum, value) => sum + value, 0) / light.length
}

const ABSENT: Partial<Material> = { alpha: 'blend', opacity: 0 }
const lights: [string, Light][] = [
  ['a lamp', POINT],
  ['a wide sun', WIDE],
]

it.each(lights)('%s shines through the holes of a black one, and the camera looks through them', async (_, light) => {
  for (const camera of [below, above]) {
    const none = await mean(room({ ...ABSENT, color: [1, 1, 1] }, [light]), camera)
    expect(none).toBeGreaterThan(0.01)
    for (const absent of [ABSENT, { alpha: 'mask', opacity: 0.4 } as const])
      expect(await mean(room({ ...absent, color: [0, 0, 0] }, [light]), camera)).toBeCloseTo(none, 6)
  }
})

it.each(lights)('%s shines through one that is there as through one without alpha', async (_, light) => {
  const color = [0.5, 0.5, 0.5] as const
  for (const camera of [below, above]) {
    const whole = await mean(room({ color }, [light]), camera)
    for (const there of [{ alpha: 'mask' }, { alpha: 'blend' }] as const)
      expect(await mean(room({ ...there, color }, [light]), camera)).toBeCloseTo(whole, 6)
  }
})

it.each(lights)('%s shines through one of which half is there as much as it does in the mean', async (_, light) => {
  const color = [0.25, 0.25, 0.25] as const
  const samples = 1024
  const [none, half, whole] = [
    await mean(room({ ...ABSENT, color }, [light]), below, samples),
    await mean(room({ alpha: 'blend', opacity: 0.5, color }, [light]), below, samples),
    await mean(room({ color }, [light]), below, samples),
  ]
  expect(half / ((none + whole) / 2)).toBeCloseTo(1, 2)
})
