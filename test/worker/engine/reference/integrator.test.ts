import { describe, expect, it } from 'vitest'
import type { AmbientMaterial, BakedScene } from '../../../../shared/scene/ambient-look.ts'
import type { Quality, Vec3 } from '../../../../shared/view.ts'
import { buildBvh } from '../../../../worker/engine/reference/bvh-builder.ts'
import { openStructure } from '../../../../worker/engine/reference/bvh-layout.ts'
import { BLOCKED_SHARE, Integrator } from '../../../../worker/engine/reference/integrator.ts'
import { fresnel, refractedCosine, schlick } from '../../../../worker/engine/reference/scattering.ts'
import { GLASS_SHADOW, Traversal } from '../../../../worker/engine/reference/traversal.ts'
import { evenSky, GREY, NO_SUN, quad, sceneOf, sphere, unit, viewOf } from '../../support/meshes.ts'

/** Radiance along a ray from `origin` towards `target`, mean of so many samples. */
function radiance(scene: BakedScene, origin: Vec3, target: Vec3, change: Partial<Quality> = {}): Vec3 {
  const quality = { samples: 1, ambientRays: 2, maxDepth: 8, ...change }
  const view = viewOf([8, 8], { quality, exposure: 1 })
  const bvh = openStructure(buildBvh(scene))
  const camera = { ...view.camera, origin }
  const integrator = new Integrator(scene, bvh, new Traversal(bvh, scene), { ...view, camera })
  integrator.startPixel(3, 5, 0)
  const direction = unit([target[0] - origin[0], target[1] - origin[1], target[2] - origin[2]])
  for (let sample = 0; sample < quality.samples; sample++) integrator.addCameraRay(sample, ...direction)
  return [integrator.red, integrator.green, integrator.blue]
}

// Summands are rounded to multiples of 2^-32.
const expectNear = (got: Vec3, expected: Vec3, digits = 8) => {
  for (const channel of [0, 1, 2] as const) expect(got[channel]).toBeCloseTo(expected[channel], digits)
}

const SKY: Vec3 = [0.7, 0.8, 0.9]
const ball = (material: AmbientMaterial, levels = 3) =>
  sceneOf([{ mesh: sphere([0, 0, 0], 1, levels), material }], { sky: evenSky(SKY) })
/** From the middle of the ball's disc to near its rim. */
const TARGETS: Vec3[] = [0, 0.3, 0.6, 0.8, 0.85, 0.9].map(x => [x, x * 0.1, 0])

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

describe('smooth boundaries', () => {
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
