/**
 * The lights of WGSL are sampled and met as the kernel's are, by thousands of places and numbers. Floats have 24 digits: what a device answers must be what the
 * kernel answers for some places and numbers that differ from the asked ones in the last of these.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { buildPacked } from '../../../../scripts/bench/pictures/kernel/build.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { KernelProbe } from '../../../../worker/engine/wasm/kernel-probe.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { type DeviceSample, lightsOnDevice } from '../../../support/lights-on-device.ts'
import { drawn, random, SCENES } from './light-scenes.ts'

const engine = loadWasmEngine('wasm')
const functions = await deviceFunctions()
afterAll(() => functions?.close())

const ASKED = 2048
/** By how much places differ in the last digits, in their size or 1, and numbers. */
const [STEP, DIGIT] = [2e-7, 2 ** -23]

type Question = readonly [place: Vec3, u: number, v: number]

/** What may be compared: a direction, and logarithms of light and density. */
function comparable({ direction, value, density }: ReturnType<KernelProbe['sampleLight']>): number[] {
  const level = (x: number) => Math.log(Math.max(x, 1e-30))
  return [...direction, ...value.map(level), level(density)]
}
const isNothing = ({ value, density }: Pick<ReturnType<KernelProbe['sampleLight']>, 'value' | 'density'>) =>
  density === 0 && Math.max(...value) === 0
const apart = (a: readonly number[], b: readonly number[]) => a.map((x, i) => Math.abs(x - b[i]!))

/** By how much more a sample differs from the kernel's than its digits explain; at most 0 if they do. */
function excess(
  probe: KernelProbe,
  [place, u, v]: Question,
  sample: DeviceSample,
  rounded: number,
  normal?: Vec3,
): number {
  const got = { direction: sample.direction, value: sample.light, density: sample.density }
  const expected = probe.sampleLight(place, [u, v], normal)
  if (isNothing(expected) && isNothing(got)) return 0
  const numbers = comparable(expected)
  const differences = apart(comparable(got), numbers)
  if (Math.max(...differences) <= rounded) return 0
  const spread = numbers.map(() => 0)
  const size = Math.max(1, ...place.map(Math.abs))
  for (let i = 0; i < 64; i++) {
    const change = (by: number) => by * (2 * random.next() - 1)
    const near = place.map(x => x + change(STEP * size)) as unknown as Vec3
    const [nearU, nearV] = [u, v].map(x => Math.min(1 - 2 ** -24, Math.max(0, x + change(DIGIT))))
    apart(comparable(probe.sampleLight(near, [nearU!, nearV!], normal)), numbers).forEach((x, k) => {
      spread[k] = Math.max(spread[k]!, x)
    })
  }
  return Math.max(...differences.map((x, k) => x - rounded - 2 * spread[k]!))
}

/** Of what is compared, so much may have been explained by none of 64 tries. */
const UNEXPLAINED = ASKED / 256

describe.skipIf(!functions).each(SCENES)('$name', ({ description, placeIn, rounded }) => {
  const scene = buildPacked(engine, packScene(description).bytes)
  const probe = engine.probe(scene)
  const hasMap = description.environment.kind === 'map'
  const normal: Vec3 | undefined = hasMap ? [0, 1, 0] : undefined
  const asked = Array.from(
    { length: ASKED },
    (_, i): Question => [
      placeIn(),
      i % 64 === 0 ? 0 : i % 64 === 1 ? 1 - 2 ** -24 : drawn(),
      i % 61 === 0 ? 0 : i % 61 === 1 ? 1 - 2 ** -24 : drawn(),
    ],
  )

  it('is sampled as in the kernel', async () => {
    const samples = await lightsOnDevice(functions!, scene).sample(asked, normal)
    expect(samples.flatMap(sample => [...sample.direction, ...sample.light]).every(Number.isFinite)).toBe(true)
    const strange = samples.filter((sample, i) => excess(probe, asked[i]!, sample, rounded, normal) > 0)
    expect(strange.length).toBeLessThanOrEqual(UNEXPLAINED)
    const found = samples.filter(({ light }) => Math.max(...light) > 0)
    expect(found.length).toBeGreaterThan(ASKED / 5)
  })
})
