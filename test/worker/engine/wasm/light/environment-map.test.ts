/** How next-event estimation chooses directions to an environment map: those that a surface faces, as often as they light it. */
import { describe, expect, it } from 'vitest'
import { buildHere } from '../../../../../scripts/bench/pictures/kernel/build.ts'
import { dot, normalize } from '../../../../../scripts/bench/pictures/model/vector.ts'
import { RandomStream } from '../../../../../scripts/bench/pictures/naive/random-stream.ts'
import { SceneBuilder } from '../../../../../scripts/bench/pictures/scenes/meshes.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import type { EnvironmentMap } from '../../../../../shared/scene/environment.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'

const ORIGIN: Vec3 = [0, 0, 0]
const SAMPLES = 4000
const engine = loadWasmEngine('wasm')

const NORMALS: readonly Vec3[] = [
  [0, 1, 0],
  [0, -1, 0],
  [1, 0, 0],
  [0, 0, -1],
  normalize([0.3, 0.8, -0.5]),
  normalize([-0.6, -0.2, 0.7]),
]

function mapOf(width: number, height: number, level: (column: number, row: number) => number, rotation = 0) {
  const texels = Float32Array.from({ length: width * height * 3 }, (_, i) => {
    const texel = Math.floor(i / 3)
    return level(texel % width, Math.floor(texel / width))
  })
  return { kind: 'map', width, height, texels, intensity: 1, rotation } satisfies EnvironmentMap
}

const probeOf = (environment: EnvironmentMap) =>
  engine.probe(buildHere(engine, { ...new SceneBuilder().build(environment), environment }))

/** Mean and relative variance of what one sample says of the light on a surface. */
function irradiance(environment: EnvironmentMap, normal: Vec3, isOpaque = true) {
  const probe = probeOf(environment)
  const random = new RandomStream(3)
  let [sum, squares] = [0, 0]
  for (let i = 0; i < SAMPLES; i++) {
    const u = [random.next(), random.next()] as const
    const { direction, value, density } = probe.sampleLight(ORIGIN, u, isOpaque ? normal : undefined)
    const light = density > 0 ? (value[0] * Math.max(0, dot(direction, normal))) / density : 0
    sum += light
    squares += light * light
  }
  const mean = sum / SAMPLES
  return { mean, variance: squares / SAMPLES / mean ** 2 - 1 }
}

describe.each(NORMALS)('a surface that faces %s, %s, %s', (...normal) => {
  it('is lit evenly by an even map, with little noise', () => {
    const { mean, variance } = irradiance(
      mapOf(8, 4, () => 1),
      normal,
    )
    expect(Math.abs(mean / Math.PI - 1)).toBeLessThan(0.02)
    // 5/3 if all directions are as probable.
    expect(variance).toBeLessThan(0.25)
  })

  it('is lit by an uneven one, which is turned, as it would be by directions chosen without it', () => {
    const map = mapOf(
      64,
      32,
      (column, row) => (column === 20 && row === 9 ? 50 : 1 + ((column * 7 + row * 5) % 11)),
      0.3,
    )
    const [own, any] = [true, false].map(isOpaque => irradiance(map, normal, isOpaque))
    expect(Math.abs(own!.mean / any!.mean - 1)).toBeLessThan(4 * Math.sqrt((own!.variance + any!.variance) / SAMPLES))
    expect(own!.variance).toBeLessThan(any!.variance / 4)
  })

  it('has the density that a path reckons with', () => {
    const probe = probeOf(mapOf(50, 30, (column, row) => 1 + ((column * row) % 5), 0.2))
    const random = new RandomStream(5)
    for (let i = 0; i < 200; i++) {
      const { direction, density } = probe.sampleLight(ORIGIN, [random.next(), random.next()], normal)
      if (density === 0) continue
      expect(probe.meetLight(ORIGIN, direction, normal).density / density).toBeCloseTo(1, 6)
    }
  })
})

it('a map of few texels is followed between them', () => {
  // Two texels above each other: at its horizon the map is grey.
  const map = mapOf(1, 2, (_, row) => 1 - row)
  const probe = probeOf(map)
  const random = new RandomStream(7)
  const ratios = Array.from({ length: 10_000 }, () => {
    const { value, density } = probe.sampleLight(ORIGIN, [random.next(), random.next()])
    return density > 0 ? value[0] / density : 0
  })
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const variance = ratios.reduce((sum, ratio) => sum + (ratio / mean - 1) ** 2, 0) / ratios.length
  expect(variance).toBeLessThan(0.02)
})
