/** A scene is added up as bright as it is shown: what is a million times dimmer or brighter looks the same with an exposure that makes up for it. */
import { expect, it } from 'vitest'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import { buildHere } from '../../../scripts/bench/pictures/kernel/build.ts'
import type { PlainScene } from '../../../scripts/bench/pictures/model/plain-scene.ts'
import { scale } from '../../../scripts/bench/pictures/model/vector.ts'
import { comparedScenes } from '../../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { viewOf } from '../../../scripts/bench/pictures/scenes/views.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { allSamples, type SampleRange, type View } from '../../../shared/frame/view.ts'
import type { Light } from '../../../shared/scene/light.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const SIZE: Size = [12, 12]
const SAMPLES = 1024
const engine = loadWasmEngine('wasm')
const { scene, camera, bounces } = comparedScenes().find(({ name }) => name === 'see-through')!

const dimmedLight = (light: Light, by: number): Light => {
  if (light.kind === 'distant') return { ...light, irradiance: scale(light.irradiance, by) }
  if (light.kind === 'rectangle') return { ...light, radiance: scale(light.radiance, by) }
  return { ...light, intensity: scale(light.intensity, by) }
}

/** The scene with so many times the light. */
function lit(by: number): PlainScene {
  const { environment } = scene
  if (environment.kind === 'map') return scene
  const [zenith, horizon, ground] = [environment.zenith, environment.horizon, environment.ground].map(color =>
    scale(color, by),
  )
  return {
    ...scene,
    materials: scene.materials.map(material => ({ ...material, emission: scale(material.emission, by) })),
    lights: scene.lights.map(light => dimmedLight(light, by)),
    environment: { kind: 'sky', zenith: zenith!, horizon: horizon!, ground: ground! },
  }
}

const view = (exposure: number): View => ({ ...viewOf(camera, SIZE, { samples: SAMPLES, bounces }), exposure })

/** In one pass, by the kernel. */
function shown(by: number): Uint8Array {
  const rgb = new Uint8Array(SIZE[0] * SIZE[1] * 3)
  const own = view(1 / by)
  engine.open(buildHere(engine, lit(by)), 0).trace(own, { rect: frameRect(SIZE) }, allSamples(own), { rgb })
  return rgb
}

/** In two passes, by an assembly: colour, and the light that it delivers. */
async function assembled(by: number, exposure = 1 / by): Promise<{ rgb: Uint8Array; light: Float32Array }> {
  const own = view(exposure)
  const content = { passes: 2, quality: own.quality, channels: ['light'] as const }
  const assembly = new DirectAssembly({ size: SIZE, channels: ['light'], content, look: { exposure: own.exposure } })
  const tracer = engine.open(buildHere(engine, lit(by)), 0)
  const passes: readonly SampleRange[] = [
    { from: 0, to: SAMPLES / 2 },
    { from: SAMPLES / 2, to: SAMPLES },
  ]
  for (const samples of passes) {
    const light = new Float64Array(SIZE[0] * SIZE[1] * 3)
    tracer.trace(own, { rect: frameRect(SIZE) }, samples, { light })
    assembly.put({ rect: frameRect(SIZE) }, new Uint8Array(light.buffer))
    assembly.passDone(samples, samples.from === 0 ? 'all' : false)
  }
  return { rgb: await assembly.color(), light: (await assembly.planes()).light! }
}

const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a, (value, i) => Math.abs(value - b[i]!)).reduce((most, each) => Math.max(most, each))

it.each([1e-6, 1e5])('a picture of %s times the light', async by => {
  const plain = shown(1)
  expect(plain.some(byte => byte > 50)).toBe(true)
  expect(apart(shown(by), plain)).toBeLessThanOrEqual(1)
  const { rgb, light } = await assembled(by)
  expect(rgb).toEqual(shown(by))
  // What is delivered is the light itself.
  const { light: expected } = await assembled(1)
  const most = Math.max(...expected)
  expect(
    apart(
      light.map(value => value / by),
      expected,
    ),
  ).toBeLessThan(most * 1e-4)
})

it.each([1e-6, 1e6])('has the light that it has, whatever the exposure of %s shows of it', async exposure => {
  const { light: expected } = await assembled(1)
  const { light } = await assembled(1, exposure)
  // Lamps are brighter than white with one, and all is darker than black with the other.
  const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean(light) / mean(expected)).toBeCloseTo(1, 2)
  expect(apart(light, expected)).toBeLessThan(Math.max(...expected) * 0.01)
})
