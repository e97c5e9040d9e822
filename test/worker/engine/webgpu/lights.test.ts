/**
 * The lights of WGSL are sampled and met as the kernel's are, by thousands of places and numbers. Floats have 24 digits: what a device answers must be what the
 * kernel answers for some places and numbers that differ from the asked ones in the last of these.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { buildPacked } from '../../../../scripts/bench/pictures/kernel/build.ts'
import { RandomStream } from '../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { KernelProbe } from '../../../../worker/engine/wasm/kernel-probe.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { type DeviceSample, lightsOnDevice } from '../../../support/lights-on-device.ts'
import { type Stack, stacked } from '../../support/stacked.ts'

const engine = loadWasmEngine('wasm')
const functions = await deviceFunctions()
afterAll(() => functions?.close())

const random = new RandomStream(23)
/** As a device has it. */
const number = (least = 0, most = 1): number => Math.fround(least + (most - least) * random.next())
/** As samplers make them: of 24 bits. */
const drawn = (): number => Math.floor(random.next() * 2 ** 24) / 2 ** 24
const within = (size: number, [x, y, z]: Vec3 = [0, 0, 0]): Vec3 => [
  number(x - size, x + size),
  number(y - size, y + size),
  number(z - size, z + size),
]
const grey = (value: number): Vec3 => [value, value, value]
const unit = (): Vec3 => {
  const [x, y, z] = within(1)
  const length = Math.hypot(x, y, z)
  return length > 0.1 && length < 1 ? [x / length, y / length, z / length] : unit()
}
const FLOOR: Stack['layers'][number] = { z: -50, material: {} }
const glowing = (z: number, half = 1): Stack['layers'][number] => ({ z, material: { emission: grey(2) }, half })

function anyLight(kind: number, size: number): Light {
  const [position, power] = [within(size), number(0.01, 10)]
  if (kind === 0) return { kind: 'point', position, intensity: grey(power), radius: random.next() < 0.5 ? 0 : number() }
  const cosines = { innerCosine: 0.9, outerCosine: number(0.2, 0.8) }
  if (kind === 1) return { kind: 'spot', position, intensity: grey(power), radius: 0, direction: unit(), ...cosines }
  const [x, y] = [number(0.1, 1), number(0.1, 1)]
  return {
    kind: 'rectangle',
    position,
    across: kind === 2 ? [x, 0, 0] : [0, 0, x],
    up: [0, y, 0],
    radiance: grey(power),
  }
}
const mixed = (count: number): Light[] => Array.from({ length: count }, (_, i) => anyLight(i % 4, 20))
const rectangle = (across: Vec3, up: Vec3, position: Vec3 = [0, 0, 0]): Light => ({
  ...{ kind: 'rectangle', position, across, up },
  radiance: [3, 2, 1],
})
const sphere = (radius: number, position: Vec3 = [0, 0, 0]): Light => ({
  kind: 'point',
  position,
  radius,
  intensity: [3, 2, 1],
})
const distant = (angle: number): Light => ({ kind: 'distant', direction: [0.6, 0.8, 0], angle, irradiance: [3, 2, 1] })
const spot = (radius: number, falloff: { readonly falloff?: 'squared' } = {}): Light => ({
  ...falloff,
  ...{ kind: 'spot', position: [0, 0, 0], radius, intensity: [3, 2, 1], direction: [0, 0, 1] },
  ...{ innerCosine: 0.9, outerCosine: 0.5 },
})
const lit = (lights: readonly Light[], layers: Stack['layers'] = []) => stacked({ layers: [FLOOR, ...layers], lights })
function around(width: number, height: number, level: (x: number, y: number) => number, lights: readonly Light[] = []) {
  const levels = Array.from({ length: width * height }, (_, i) => level(i % width, Math.floor(i / width)))
  const texels = Float32Array.from(levels.flatMap(value => [value, 0.5 * value, 0.25]))
  return { ...lit(lights), environment: { kind: 'map', width, height, texels, intensity: 1.5, rotation: 0.3 } } as const
}

/** At a height above a square that is one unit large, above it and beside it. */
const above = (z: number) => (): Vec3 => [number(-2.5, 2.5), number(-2.5, 2.5), Math.fround(z)]

/**
 * Relative errors, and those of components of directions: by a few roundings; of points that are close above a light, in heights; of a narrow light, in widths;
 * and between texels as unlike as these.
 */
const ROUNDED = 1e-5
const closeBy = (size: number) => 2 ** -22 / size

const SCENES: readonly (readonly [string, SceneDescription, () => Vec3, number?])[] = [
  ['a rectangle', lit([rectangle([1, 0, 0], [0, 1, 0])]), () => within(4)],
  ['a strip', lit([rectangle([0.02, 0, 0], [0, 0.8, 0.6], [5, 7, 3])]), () => within(2, [5, 7, 3]), closeBy(0.0025)],
  ['a rectangle, near its plane', lit([rectangle([1, 0, 0], [0, 1, 0])]), above(1e-3), closeBy(1e-3)],
  ['a rectangle, almost in its plane', lit([rectangle([1, 0, 0], [0, 1, 0])]), above(1e-5), closeBy(1e-5)],
  ['a sphere', lit([sphere(0.1)]), () => within(3)],
  ['a sphere from close by', lit([sphere(1)]), () => within(1)],
  ['a tiny sphere', lit([sphere(1e-6)]), () => within(100)],
  ['a sphere like the sun, and as far away', lit([sphere(7e8, [1.5e11, 0, 0])]), () => within(1e6)],
  ['a point', lit([sphere(0)]), () => within(100)],
  ['a spot', lit([spot(0)]), () => within(4)],
  ['a large spot', lit([spot(0.2, { falloff: 'squared' })]), () => within(4)],
  ...[0, 1e-5, 0.5 / 360, 0.1, 0.5].map(
    angle => [`a distant disc of ${angle} turns`, lit([distant(angle)]), () => within(4)] as const,
  ),
  ['several suns', lit([0, 0.1, 0.01].map(distant)), () => within(4)],
  ['triangles', lit([], [glowing(0)]), () => within(3)],
  ['triangles, near their plane', lit([], [glowing(0)]), above(1e-3), closeBy(1e-3)],
  ['triangles, almost in their plane', lit([], [glowing(0)]), above(1e-5), closeBy(1e-5)],
  ['all kinds', lit(mixed(60), [glowing(5, 3)]), () => within(30)],
  ['thousands of all kinds', lit(mixed(4000), [glowing(5, 3)]), () => within(30)],
  ['a map', around(64, 32, (x, y) => (x === 20 && y === 9 ? 50 : 1 + ((x * 7 + y * 5) % 11))), () => within(3)],
  [
    'a large map with a sun',
    around(1024, 512, (x, y) => (x === 320 && y === 90 ? 5e4 : 1 + ((x * y) % 5))),
    () => within(3),
    1e-4,
  ],
  ['a map of two texels', around(1, 2, (_, y) => 1 - y), () => within(3)],
  ['a map and suns', around(50, 30, (x, y) => 1 + ((x * y) % 5), [0, 0.1].map(distant)), () => within(3)],
]

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
const UNEXPLAINED = ASKED / 500

describe.skipIf(!functions).each(SCENES)('%s', (_, description, placeIn, rounded = ROUNDED) => {
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
