/** What light the ambient integrator computes, alone and in waves: along single rays, through pixels too narrow to be seen. */
import { describe, expect, it } from 'vitest'
import type { Quality, Vec3, View } from '../../../shared/frame/view.ts'
import type { AmbientMaterial, BakedScene } from '../../../shared/scene/ambient-look.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere } from '../support/engines.ts'
import { evenSky, GREY, type Mesh, NO_SUN, quad, sceneOf, sphere, unit, viewOf } from '../support/meshes.ts'
import { fresnel, refractedCosine, schlick } from './twins/scattering.ts'

/** As the kernel has them: light through glass, and the sky's light where the sky is hidden. */
const [GLASS_SHADOW, BLOCKED_SHARE] = [0.6, 0.4]

// Light is reckoned in floats.
const expectNear = (got: Vec3, expected: Vec3, digits = 6) => {
  for (const channel of [0, 1, 2] as const) expect(got[channel]).toBeCloseTo(expected[channel], digits)
}

const SKY: Vec3 = [0.7, 0.8, 0.9]
const ball = (material: AmbientMaterial, levels = 3) =>
  sceneOf([{ mesh: sphere([0, 0, 0], 1, levels), material }], { sky: evenSky(SKY) })
/** From the middle of the ball's disc to near its rim. */
const TARGETS: Vec3[] = [0, 0.3, 0.6, 0.8, 0.85, 0.9].map(x => [x, x * 0.1, 0])

/** A camera that sees next to nothing but one point. */
function along(origin: Vec3, target: Vec3): View['camera'] {
  const back = unit([origin[0] - target[0], origin[1] - target[1], origin[2] - target[2]])
  const right = Math.abs(back[1]) < 0.9 ? unit([back[2], 0, -back[0]]) : unit([0, back[2], -back[1]])
  const up: Vec3 = [
    back[1] * right[2] - back[2] * right[1],
    back[2] * right[0] - back[0] * right[2],
    back[0] * right[1] - back[1] * right[0],
  ]
  return { ...viewOf([1, 1]).camera, origin, right, up, back, tanHalfX: 1e-6, tanHalfY: 1e-6 }
}

/** Of the unit cube on the floor, and its sides, counter-clockwise from outside. */
const CORNERS: Vec3[] = Array.from({ length: 8 }, (_, i) => [(i & 1) - 0.5, (i >> 1) & 1, (i >> 2) - 0.5])
const BOX_TRIANGLES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
].flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!])

describe.each(['wasm', 'reference'])('with the engine %s', name => {
  const engine = engineByName(name)
  const tracers = new WeakMap<BakedScene, Tracer>()

  /** Radiance along a ray from `origin` towards `target`, mean of so many samples. */
  function radiance(scene: BakedScene, origin: Vec3, target: Vec3, change: Partial<Quality> = {}): Vec3 {
    const tracer = tracers.get(scene) ?? openHere(engine, scene)
    tracers.set(scene, tracer)
    const quality = { samples: 1, ambientRays: 2, maxDepth: 8, ...change }
    const view: View = { ...viewOf([1, 1]), quality, exposure: 1, camera: along(origin, target) }
    const light = new Float64Array(3)
    tracer.trace(view, { rect: { x: 0, y: 0, w: 1, h: 1 } }, { from: 0, to: quality.samples }, { light })
    return [light[0]!, light[1]!, light[2]!]
  }

  describe('under an even sky without a sun', () => {
    it.each(TARGETS)('a convex matte thing returns its colour of the sky (at %d, %d)', (...target) => {
      const color: Vec3 = [0.2, 0.5, 0.9]
      const expected = SKY.map((light, channel) => light * color[channel]!) as unknown as Vec3
      expectNear(radiance(ball({ kind: 'matte', color }, 2), [0, 0, 5], target, { ambientRays: 16 }), expected)
      expectNear(radiance(ball({ kind: 'matte', color }, 2), [0, 0, 5], target, { ambientRays: 0 }), expected)
    })

    it.each(TARGETS)('a mirror shows its colour of the sky (at %d, %d)', (...target) => {
      expectNear(radiance(ball({ kind: 'mirror', color: [1, 0.5, 0.25] }), [0, 0, 5], target), [0.7, 0.4, 0.225])
    })

    it.each(TARGETS)('clear glass cannot be seen (at %d, %d)', (...target) => {
      expectNear(radiance(ball({ kind: 'glass', color: [1, 1, 1], ior: 1.5 }), [0, 0, 5], target), SKY)
      // Nor when its rays are cut short.
      expectNear(radiance(ball({ kind: 'glass', color: [1, 1, 1], ior: 1.5 }), [0, 0, 5], target, { maxDepth: 1 }), SKY)
    })

    it('a coat takes its share and leaves the rest to the colour', () => {
      const material: AmbientMaterial = { kind: 'coated', color: [0.5, 0.5, 0.5], ior: 1.5 }
      // Straight on, 4 % are mirrored.
      expectNear(
        radiance(ball(material, 5), [0, 0, 5], [0, 0, 0]),
        SKY.map(l => l * (0.04 + 0.96 * 0.5)) as unknown as Vec3,
        4,
      )
      const rim = radiance(ball(material, 5), [0, 0, 5], [0.97, 0, 0])
      expect(rim[0]).toBeGreaterThan(0.5 * SKY[0] * 1.15)
      expect(rim[0]).toBeLessThan(SKY[0])
    })

    it('a wall takes half of the sky from its foot, and gives back what the design says', () => {
      const color = 0.4
      const parts = [
        {
          mesh: quad([-500, 0, 500], [1000, 0, 0], [0, 0, -1000]),
          material: { kind: 'matte', color: [color, color, color] } as const,
        },
        { mesh: quad([-500, 0, -0.01], [1000, 0, 0], [0, 500, 0]), material: GREY },
      ]
      const [red] = radiance(sceneOf(parts), [0, 1, 1], [0, 0, 0], { samples: 64, ambientRays: 16 })
      expect(red / (color * (0.5 + 0.5 * BLOCKED_SHARE * color))).toBeCloseTo(1, 1.5)
    })
  })

  describe('the sun', () => {
    const floor = { mesh: quad([-5, 0, 5], [10, 0, 0], [0, 0, -10]), material: GREY }
    const toSun = unit([0, 3, 4])
    const lights = { sky: evenSky([0, 0, 0]), sun: { direction: toSun, irradiance: [4, 5, 6] as Vec3 } }
    const lit = [4, 5, 6].map(light => ((light * 0.5) / Math.PI) * toSun[1]) as unknown as Vec3
    // A small pane between the origin and the sun.
    const pane = (material: AmbientMaterial) => ({ mesh: quad([-0.5, 1.5, 2.5], [1, 0, 0], [0, 0, -1]), material })

    it('lights a floor by albedo / π, irradiance and cosine, from either side', () => {
      expectNear(radiance(sceneOf([floor], lights), [0, 2, 1], [0, 0, 0]), lit)
      const turned = { mesh: quad([-5, 0, -5], [10, 0, 0], [0, 0, 10]), material: GREY }
      expectNear(radiance(sceneOf([turned], lights), [0, 2, 1], [0, 0, 0]), lit)
    })

    it('throws hard shadows, which glass only dims', () => {
      expectNear(radiance(sceneOf([floor, pane(GREY)], lights), [0, 2, -3], [0, 0, 0]), [0, 0, 0])
      const behindGlass = pane({ kind: 'glass', color: [1, 1, 1], ior: 1.5 })
      expectNear(
        radiance(sceneOf([floor, behindGlass], lights), [0, 2, -3], [0, 0, 0]),
        lit.map(l => l * GLASS_SHADOW) as unknown as Vec3,
      )
    })

    it('does not reach a surface that faces away', () => {
      expectNear(radiance(sceneOf([floor], lights), [0, -2, 1], [0, 0, 0]), [0, 0, 0])
    })

    it('leaves no acne, and no steps where it turns away, on a smooth ball', () => {
      const scene = sceneOf([{ mesh: sphere([0, 0, 0], 1, 3), material: GREY }], {
        ...lights,
        sun: { direction: [1, 0, 0], irradiance: [Math.PI, Math.PI, Math.PI] },
      })
      // Along the equator towards the night side light falls with the cosine and never jumps.
      let last = Number.POSITIVE_INFINITY
      for (let x = 0.9; x > -0.5; x -= 0.01) {
        const [light] = radiance(scene, [x, 0.003, 5], [x, 0.003, 0])
        expect(Math.abs(light - 0.5 * Math.max(0, x))).toBeLessThan(0.02)
        expect(light).toBeLessThan(last + 0.01)
        last = light
      }
    })

    it('is seen in a mirror, and keeps its power there', () => {
      const mirror = {
        mesh: quad([-5, 0, 5], [10, 0, 0], [0, 0, -10]),
        material: { kind: 'mirror', color: [1, 1, 1] } as const,
      }
      const [highlight] = radiance(sceneOf([mirror], lights), [0, 3, -4], [0, 0, 0])
      expect(highlight).toBeGreaterThan(100)
      // The glow's integral over the hemisphere, by rings around the sun: 2π sin(a) da.
      let power = 0
      for (let a = 0.0005; a < Math.PI / 2; a += 0.001) {
        const d: Vec3 = [0, Math.sin(a), Math.cos(a)]
        const up = sceneOf([{ mesh: quad([50, 50, 50], [1, 0, 0], [0, 1, 0]), material: GREY }], {
          ...lights,
          sun: { direction: [0, 0, 1], irradiance: [1, 1, 1] },
        })
        if (a < 0.5 && Math.round(a * 1000 - 0.5) % 5 === 2)
          power += radiance(up, [0, 0, 0], d)[0] * 2 * Math.PI * Math.sin(a) * 0.005
      }
      expect(power).toBeCloseTo(1, 2)
    })
  })

  describe('the camera range', () => {
    it('hides what is nearer or farther', () => {
      const wall = (z: number, color: Vec3) => ({
        mesh: quad([-1, -1, z], [2, 0, 0], [0, 2, 0]),
        material: { kind: 'matte', color } as const,
      })
      // viewOf looks from 0.1 to 100.
      const scene = sceneOf([wall(-0.05, [1, 0, 0]), wall(-2, [0, 1, 0]), wall(-200, [0, 0, 1])], {
        sky: evenSky(SKY),
        sun: NO_SUN,
      })
      const [red, green, blue] = radiance(scene, [0, 0, 0], [0, 0, -1])
      expect([red, blue]).toEqual([0, 0])
      expect(green).toBeGreaterThan(0.2)
      const far = sceneOf([wall(-200, [0, 0, 1])], { sky: evenSky(SKY) })
      expectNear(radiance(far, [0, 0, 0], [0, 0, -1]), SKY)
    })
  })

  describe('shadow rays of a box with eight vertices, whose normals are shared', () => {
    const box: Mesh = {
      positions: CORNERS.flat(),
      normals: CORNERS.flatMap(([x, y, z]) => unit([x * 2, y * 2 - 1, z * 2])),
      indices: BOX_TRIANGLES,
    }
    const floor = { mesh: quad([-5, 0, 5], [10, 0, 0], [0, 0, -10]), material: GREY }
    const lights = { sky: evenSky([0, 0, 0]), sun: { direction: unit([1, 1, 0.2]), irradiance: [4, 4, 4] as Vec3 } }
    const scene = sceneOf([floor, { mesh: box, material: GREY }], lights)

    it('see the box from the floor beside it', () => {
      for (const off of [0.5001, 0.51, 0.6, 0.9, 1.3])
        expectNear(radiance(scene, [-off, 3, 3], [-off, 0, 0]), [0, 0, 0])
      expect(radiance(scene, [1, 3, 3], [1, 0, 0])[0]).toBeGreaterThan(0.1)
      expect(radiance(scene, [-1.6, 3, 3], [-1.6, 0, 0])[0]).toBeGreaterThan(0.1)
    })

    it('see the box from its sides that are away from the sun', () => {
      for (const y of [0.01, 0.2, 0.5, 0.8, 0.95, 0.999])
        for (const z of [-0.49, -0.2, 0, 0.3, 0.49]) expectNear(radiance(scene, [-4, y, z], [-0.5, y, z]), [0, 0, 0])
    })

    it('see what lies on it', () => {
      const lid = { mesh: quad([-0.6, 1.02, 0.6], [1.2, 0, 0], [0, 0, -1.2]), material: GREY }
      const covered = sceneOf([floor, { mesh: box, material: GREY }, lid], lights)
      for (const x of [-0.4, -0.1, 0.2])
        for (const z of [-0.4, 0, 0.4]) expectNear(radiance(covered, [-3, 1.01, z], [x, 1, z]), [0, 0, 0])
    })
  })

  it.each([1, 2, 3])('the sun turns away from a ball of %i levels without a step', levels => {
    const direction = unit([1, 0.31, 0.17])
    const scene = sceneOf([{ mesh: sphere([0, 0, 0], 1, levels), material: GREY }], {
      sky: evenSky([0, 0, 0]),
      sun: { direction, irradiance: [Math.PI, Math.PI, Math.PI] },
    })
    // From the day side to the night side, across edges at all angles.
    let largest = 0
    for (let y = -0.6; y <= 0.6; y += 0.1) {
      let last: number | undefined
      for (let x = 0.6; x > -0.6; x -= 0.005) {
        const [light] = radiance(scene, [x, y, 5], [x, y, 0])
        if (last !== undefined) largest = Math.max(largest, Math.abs(light - last))
        last = light
      }
    }
    expect(largest).toBeLessThan(0.02)
  })
})

describe('twins of smooth boundaries', () => {
  it('mirror 4 % of light on glass straight on, and all of it at grazing', () => {
    expect(schlick(1, 1.5)).toBeCloseTo(0.04, 12)
    expect(fresnel(1, 1, 1 / 1.5)).toBeCloseTo(0.04, 12)
    expect(schlick(0, 1.5)).toBeCloseTo(1, 12)
    expect(fresnel(1e-9, refractedCosine(1e-9, 1 / 1.5), 1 / 1.5)).toBeCloseTo(1, 6)
  })

  it('polarise at the Brewster angle: what is mirrored there is half of the perpendicular part', () => {
    const cosine = 1 / Math.sqrt(1 + 1.5 * 1.5)
    const perpendicular = ((1.5 * 1.5 - 1) / (1.5 * 1.5 + 1)) ** 2
    expect(fresnel(cosine, refractedCosine(cosine, 1 / 1.5), 1 / 1.5)).toBeCloseTo(perpendicular / 2, 12)
  })

  it('mirror everything inside glass beyond the critical angle, and the same both ways before it', () => {
    expect(refractedCosine(0.7, 1.5)).toBe(-1)
    const far = refractedCosine(0.6, 1 / 1.5)
    expect(fresnel(far, 0.6, 1.5)).toBeCloseTo(fresnel(0.6, far, 1 / 1.5), 12)
  })
})
