/** Lights of WGSL that rays meet: as bright and as probable as sampled ones, one after the other, and along a ray. */
import { afterAll, describe, expect, it } from 'vitest'
import { normalize, subtract } from '../../../../scripts/bench/pictures/model/vector.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { type DeviceMet, lightsOfBoth } from '../../../support/lights-on-device.ts'
import { distant, drawn, glowing, lit, mixed, number, rectangle, SCENES, sphere, within } from './light-scenes.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const prepared = (description: SceneDescription) => lightsOfBoth(functions!, description)

/** Relative: what a ray meets almost in the plane of a light has few digits. */
const CLOSE = 0.01
const UP: Vec3 = [0, 1, 0]
/** The digits of a direction do not suffice to hit a sphere that is as small as that: next-event estimation has all of its light. */
const TOO_SMALL = 'a tiny sphere'
const withOneLight = SCENES.filter(
  ({ name, description: { lights, environment } }) =>
    lights.length + Number(environment.kind === 'map') === 1 && name !== TOO_SMALL,
)

describe.skipIf(!functions).each(withOneLight)('$name', ({ description, placeIn }) => {
  it('is met where it is sampled, as bright, and as probable as the kernel says', async () => {
    const { probe, device } = prepared(description)
    const normal = description.environment.kind === 'map' ? UP : undefined
    const asked = Array.from({ length: 1024 }, () => [placeIn(), drawn(), drawn()] as const)
    const samples = await device.sample(asked, normal)
    const rays = asked.map(([place], i) => [place, samples[i]!.direction] as const)
    const met = await device.meet(0, rays, normal)
    let missed = 0
    samples.forEach((sample, i) => {
      if (!(sample.density > 0)) {
        // Rays do not meet what has no size.
        if (Math.max(...sample.light) > 0) expect(met[i]!.density).toBe(0)
        return
      }
      const expected = probe.meetLight(rays[i]![0], normalize(rays[i]![1]), normal)
      // A point on the very edge may be beside it.
      if (!(met[i]!.density > 0) || !(expected.density > 0)) {
        missed++
        return
      }
      for (const density of [sample.density, expected.density])
        expect(Math.abs(met[i]!.density / density - 1)).toBeLessThan(CLOSE)
      met[i]!.light.forEach((light, k) => {
        for (const other of [sample.light[k]!, expected.value[k]!])
          expect(Math.abs(light - other)).toBeLessThanOrEqual(CLOSE * Math.max(...expected.value))
      })
      // Shadow rays end before it, or as far in front of a rectangle as it is met; at grazing angles a direction has few digits for how far that is.
      expect(met[i]!.reach / sample.reach).toBeGreaterThanOrEqual(1 - 1e-3)
    })
    expect(missed).toBeLessThan(asked.length / 50)
  })
})

/** Of the same triangles: as they are, and in many cells. */
const GLOWING = ['triangles', 'a picture'].map(name => SCENES.find(scene => scene.name === name)!)

describe.skipIf(!functions).each(GLOWING)('emissive $name', ({ description }) => {
  it.each([0.01, 0.5, 3])('have the kernel’s densities at points that are seen from %d above them', async height => {
    const { probe, device } = prepared(description)
    const asked = Array.from({ length: 1024 }, () => {
      const [b, c] = [drawn(), drawn()]
      const [onB, onC] = b + c > 1 ? [1 - b, 1 - c] : [b, c]
      const place: Vec3 = [number(-2, 2), number(-2, 2), Math.fround(height)]
      // The corners of the lower left half, whose number follows those of the floor.
      const way = subtract([2 * (onB + onC) - 1, 2 * onC - 1, 0], place)
      return [2, onB, onC, place, Math.hypot(...way), height / Math.hypot(...way)] as const
    })
    const densities = await device.densities(asked)
    expect(await device.densities([[0, 0.2, 0.2, [0, 0, 1], 1, 1]])).toEqual(Float32Array.of(0))
    let found = 0
    asked.forEach(([id, b, c, place, distance, cosine], i) => {
      const expected = probe.densityOfTriangle(id, [b, c], place, distance, cosine)
      if (expected > 0) found++
      expect(Math.abs(densities[i]! - expected)).toBeLessThanOrEqual(CLOSE * expected)
    })
    expect(found).toBeGreaterThan(asked.length / 5)
  })
})

describe.skipIf(!functions)('a tree of lights', () => {
  it.each([1, 2, 60, 4000])('over %d has the kernel’s probabilities', async count => {
    const { probe, device } = prepared(lit(mixed(count), [glowing(5, 3)]))
    const asked = Array.from({ length: 512 }, () => [Math.floor(drawn() * (count + 2)), within(30)] as const)
    const chances = await device.chances(asked)
    asked.forEach(([light, place], i) => {
      const expected = probe.chanceOfLight(light, place)
      expect(Math.abs(chances[i]! - expected)).toBeLessThanOrEqual(1e-4 * expected)
    })
  })
})

const INFINITE = 3.4028234663852886e38

describe.skipIf(!functions)('lamps along a ray', () => {
  const lights = [
    ...mixed(200),
    distant(0.2),
    distant(0.01),
    distant(0),
    sphere(0, [1, 2, 3]),
    rectangle([1, 0, 0], [0, 1, 0]),
  ]
  const ways = Array.from({ length: 512 }, (_, i) => {
    const place = within(25)
    // Many at lamps, some along axes, and into the sun.
    const aimed = lights[i % lights.length]!
    const axis: Vec3 = [Number(i % 3 === 0), Number(i % 3 === 1), Number(i % 3 === 2)]
    const to = aimed.kind === 'distant' ? aimed.direction : subtract(aimed.position, place)
    const direction = i % 7 === 0 ? axis : normalize(to)
    const [near, far] = [i % 5 === 0 ? 3 : 0, i % 4 === 0 ? 20 : INFINITE] as const
    return [[place, direction.map(Math.fround) as unknown as Vec3], near, far] as const
  })

  it.each([0, 0.3])('add up to what each adds, for a direction of density %d', async density => {
    const { device } = prepared(lit(lights))
    const sums = ways.map(() => 0)
    const weigh = (met: DeviceMet, near: number, far: number, isDistant: boolean): number => {
      if (!(met.density > 0) || (isDistant ? far < INFINITE : met.reach >= far || met.reach < near)) return 0
      const left = met.reach < 1 ? 1 : 0.5
      const ratio = met.density / density
      return left * met.light[0]! * (density > 0 ? 1 / (1 + ratio * ratio) : 1)
    }
    const rays = ways.map(([ray]) => ray)
    let count = 0
    for (const [i, { kind }] of lights.entries())
      for (const [k, met] of (await device.meet(i, rays)).entries()) {
        const light = weigh(met, ways[k]![1], ways[k]![2], kind === 'distant')
        sums[k]! += light
        if (light > 0) count++
      }
    expect(count).toBeGreaterThan(100)
    const got = await device.lamps(ways.map(([ray, near, far]) => [ray, near, far, density]))
    got.forEach((light, k) => {
      expect(Math.abs(light - sums[k]!)).toBeLessThanOrEqual(1e-5 * sums[k]! + 1e-6)
    })
  })
})
