/** Lights of WGSL at exact values: on them, behind them, at their edges, far away, and where there are none; and what their densities add up to. */
import { afterAll, describe, expect, it } from 'vitest'
import { dot } from '../../../../scripts/bench/pictures/model/vector.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { lightsOfBoth } from '../../../support/lights-on-device.ts'
import { around, distant, glowing, grey, lit, mixed, rectangle, sphere, spot } from './light-scenes.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const prepared = (description: SceneDescription) => lightsOfBoth(functions!, description)

const SQUARE = rectangle([1, 0, 0], [0, 1, 0])
const BELOW_ONE = 1 - 2 ** -24
/** Ends and middles of both numbers. */
const NUMBERS = [0, 0.5, BELOW_ONE].flatMap(u => [0, 0.5, BELOW_ONE].map(v => [u, v] as const))

const AT_A_SQUARE: readonly Vec3[] = [
  ...([0, 0.5, 1, 2].flatMap(x => [0, -1, 1e-3, 1, 1e6, 1e12].map(z => [x, x, z])) as Vec3[]),
  ...([-1, 3].map(x => [x, 0, 0]) as Vec3[]),
  [0, 0, 1e18],
  [1e18, 0, 1],
]
const AT_A_SPHERE: readonly Vec3[] = [0, 0.25, 0.5, 0.5 * (1 + 2 ** -20), 1, 1e12, 1e18].map(x => [x, 0, 0])
const AT_A_POINT: readonly Vec3[] = [0, 2 ** -60, 1, 1e18].flatMap((x): Vec3[] => [
  [x, 0, 0],
  [0, 0, x],
  [0, 0, -x],
])

describe.skipIf(!functions).each<[string, SceneDescription, readonly Vec3[]]>([
  ['a rectangle', lit([SQUARE]), AT_A_SQUARE],
  ['a thread', lit([rectangle([1, 0, 0], [0, 2 ** -30, 0])]), AT_A_SQUARE],
  ['triangles', lit([], [glowing(0)]), AT_A_SQUARE],
  ['a sphere', lit([sphere(0.5)]), AT_A_SPHERE],
  ['a sphere without light, and one with', lit([{ ...sphere(0.5), intensity: grey(0) }, sphere(0.5)]), AT_A_SPHERE],
  ['a sphere that is too small to have a square', lit([sphere(1e-25)]), AT_A_SPHERE],
  ['a point', lit([sphere(0)]), AT_A_POINT],
  ['a spot', lit([spot(0)]), AT_A_POINT],
  ['a distant point', lit([distant(0)]), AT_A_POINT],
])('%s', (_, description, places) => {
  it('is sampled as in the kernel, or not at all', async () => {
    const { probe, device } = prepared(description)
    const asked = places.flatMap(place => NUMBERS.map(([u, v]) => [place, u, v] as const))
    const samples = await device.sample(asked)
    samples.forEach(({ direction, light, density, reach, probability }, i) => {
      const [place, u, v] = asked[i]!
      const said = `from ${place.join(', ')} with ${u}, ${v}`
      const expected = probe.sampleLight(place, [u, v])
      for (const value of [...direction, ...light, density, reach, probability])
        expect(Number.isFinite(value), said).toBe(true)
      // A place in the plane of a light may be anywhere in the kernel's digits, too.
      expect(Math.max(...light) > 0, said).toBe(Math.max(...expected.value) > 0)
      if (expected.density > 0 && density === 0)
        // A sphere like a point: light from there, all in all.
        light.forEach((own, k) => {
          expect(Math.abs((own * expected.density) / expected.value[k]! - 1), said).toBeLessThan(1e-3)
        })
      // Floats end somewhere.
      else if (expected.density > 1e36) expect(density, said).toBeGreaterThan(1e36)
      else if (density > 0) expect(Math.abs(density / expected.density - 1), said).toBeLessThan(1e-3)
      if (Math.max(...light) > 0) expect(Math.hypot(...direction), said).toBeCloseTo(1, 6)
    })
  })
})

describe.skipIf(!functions)('without lights', () => {
  it('nothing is added along a ray', async () => {
    const { device } = prepared(lit([]))
    const ray = [
      [0, 0, 1],
      [0, 0, 1],
    ] as const
    expect(await device.lamps([[ray, 0, 3.4028234663852886e38, 0]])).toEqual(Float32Array.of(0))
  })

  it('a lamp of power 0 adds nothing along a ray, and is not chosen', async () => {
    const { device } = prepared(
      lit([
        { ...sphere(0.5), intensity: grey(0) },
        { ...SQUARE, radiance: grey(0) },
      ]),
    )
    const ray = [
      [0, 0, 3],
      [0, 0, -1],
    ] as const
    expect(await device.lamps([[ray, 0, 100, 0]])).toEqual(Float32Array.of(0))
    expect(await device.chances([[0, ray[0]]])).toEqual(Float32Array.of(0))
  })
})

describe.skipIf(!functions)('a map', () => {
  const AXES = [0, 1, 2].flatMap((axis): Vec3[] => [1, -1].map(x => [0, 0, 0].with(axis, x) as unknown as Vec3))
  it('is met in directions along axes, at its poles and its seam, as in the kernel', async () => {
    const { probe, device } = prepared(around(16, 8, (x, y) => 1 + x + 3 * y))
    for (const normal of AXES) {
      const met = await device.meet(
        0,
        AXES.map(direction => [[0, 0, 0], direction] as const),
        normal,
      )
      AXES.forEach((direction, i) => {
        const expected = probe.meetLight([0, 0, 0], direction, normal)
        met[i]!.light.forEach((light, k) => {
          expect(light).toBeCloseTo(expected.value[k]!, 3)
        })
        // Which cell it is, where both angles are at the end of one, is a matter of rounding.
        if (expected.density === 0) expect(met[i]!.density).toBe(0)
        else expect(met[i]!.density).toBeGreaterThan(0)
      })
    }
  })
})

/** Numbers in the middles of equal cells. */
const GRID = 64
const grid = Array.from(
  { length: GRID * GRID },
  (_, i) => [((i % GRID) + 0.5) / GRID, (Math.floor(i / GRID) + 0.5) / GRID] as const,
)

describe.skipIf(!functions).each<[string, SceneDescription, Vec3]>([
  ['a rectangle', lit([SQUARE]), [0.25, 0.5, 0.75]],
  ['a rectangle far away', lit([SQUARE]), [3, 4, 12]],
  ['a rectangle, almost in its plane', lit([SQUARE]), [1.5, 0.25, 0.0625]],
  ['a sphere', lit([sphere(0.5)]), [0, 0, 0.75]],
  ['triangles', lit([], [glowing(0)]), [0.25, 0.5, 0.75]],
  ['triangles far away', lit([], [glowing(0)]), [3, 4, 12]],
  ['many lights', lit(mixed(40)), [10, 10, 30]],
  ['a map', around(32, 16, (x, y) => 1 + ((x * y) % 7)), [0, 0, 0]],
  ['two suns', lit([distant(0.1), distant(0.02)]), [0, 0, 0]],
])('the light of %s', (_, description, place) => {
  it('on a surface is what the kernel adds up by the same numbers', async () => {
    const { probe, device } = prepared(description)
    const normal: Vec3 = description.environment.kind === 'map' ? [0, 1, 0] : [0, 0.6, -0.8]
    const samples = await device.sample(
      grid.map(([u, v]) => [place, u, v] as const),
      normal,
    )
    const share = (direction: Vec3, value: Vec3, density: number): readonly [light: number, open: number] => {
      if (!(density > 0)) return [0, 0]
      return [(value[0] * Math.max(0, dot(direction, normal))) / density, 1 / density]
    }
    const [got, expected] = [
      [0, 0],
      [0, 0],
    ]
    samples.forEach(({ direction, light, density }, i) => {
      const own = share(direction, light, density)
      const kernel = probe.sampleLight(place, grid[i]!, normal)
      const theirs = share(kernel.direction, kernel.value, kernel.density)
      for (const k of [0, 1] as const) {
        got[k]! += own[k]
        expected[k]! += theirs[k]
      }
    })
    for (const k of [0, 1]) expect(Math.abs(got[k]! / expected[k]! - 1)).toBeLessThan(1e-3)
  })
})
