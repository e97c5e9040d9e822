/** What textures say of a material besides its colour. */
import { describe, expect, it } from 'vitest'
import type { Quality, Vec3 } from '../../../shared/frame/view.ts'
import type { Light } from '../../../shared/scene/light.ts'
import { MAP_NAMES, type MapName, type Material } from '../../../shared/scene/material.ts'
import type { TextureUse } from '../../../shared/scene/texture.ts'
import { usableEngines } from '../support/engines.ts'
import { meanLight, pictureOf, type Stack, seenBy } from '../support/stacked.ts'

const AMBIENT: Quality = { samples: 4, ambientRays: 0, maxDepth: 4 }
const PATH: Quality = { samples: 256, ambientRays: 0, maxDepth: 0, bounces: 3 }

const use = (texture: number, set: 0 | 1 = 0): TextureUse => ({ texture, set, transform: [1, 0, 0, 0, 1, 0] })
const sunFrom = (direction: Vec3): Light => ({
  kind: 'distant',
  direction,
  irradiance: [Math.PI, Math.PI, Math.PI],
  angle: 0,
})

const one = (material: Partial<Material>, stack: Partial<Stack>, turned = false): Stack => ({
  layers: [{ z: 0, material, turned }],
  ...stack,
})

describe.each(usableEngines)('with the engine %s', name => {
  // (0.6, 0, 0.8) and (0, 0.6, 0.8) in the picture: to the right, and up.
  it.each<[string, number, Vec3, boolean]>([
    ['to the right', 0, [0.6, 0, 0.8], false],
    ['up', 1, [0, 0.6, 0.8], false],
    ['to the left, seen from behind', 0, [-0.6, 0, 0.8], true],
    ['down, seen from behind', 1, [0, -0.6, 0.8], true],
  ])('normals turn %s', (_, texture, direction, turned) => {
    const textures = [pictureOf(1, [204, 128, 230, 255]), pictureOf(1, [128, 204, 230, 255])]
    for (const set of [0, 1] as const)
      for (const quality of [AMBIENT, PATH]) {
        const lit = meanLight(
          seenBy(
            name,
            one({ maps: { normal: use(texture, set) } }, { textures, lights: [sunFrom(direction)] }, turned),
            quality,
          ),
        )
        for (const channel of lit) expect(channel).toBeCloseTo(1, 2)
        const scaled = { maps: { normal: use(texture) }, normalScale: [0, 0] as const }
        const flat = meanLight(seenBy(name, one(scaled, { textures, lights: [sunFrom(direction)] }, turned), quality))
        for (const channel of flat) expect(channel).toBeCloseTo(0.8, 2)
      }
  })

  it('surfaces emit what their texture says, seen by the camera and by others', () => {
    const textures = [pictureOf(1, [255, 102, 0, 255])]
    const emission = [2, 1, 1] as const
    const glowing = one({ color: [0, 0, 0], emission, maps: { emission: use(0) } }, { textures })
    meanLight(seenBy(name, glowing, PATH)).forEach((light, i) => {
      expect(light).toBeCloseTo([2, 0.4, 0][i]!, 5)
    })
    // A wall behind the camera, facing a white one that it lights.
    const opposite: Stack = {
      layers: [
        { z: 0, material: {} },
        { z: 9, material: { color: [0, 0, 0], emission, maps: { emission: use(0) } }, turned: true, half: 1000 },
      ],
      textures,
    }
    const lit = meanLight(seenBy(name, opposite, PATH))
    expect(Math.abs(lit[0]! - 2)).toBeLessThan(0.05)
    expect(Math.abs(lit[1]! - 0.4)).toBeLessThan(0.01)
  })

  it('occlusion takes ambient light where no rays find out', () => {
    const textures = [pictureOf(1, [51, 0, 0, 255])]
    const shut = one({ occlusion: 0.5, maps: { occlusion: use(0) } }, { textures, sky: 1 })
    for (const [quality, light] of [
      [AMBIENT, 0.6],
      [{ ...AMBIENT, ambientRays: 4 }, 1],
      [PATH, 1],
    ] as const)
      for (const channel of meanLight(seenBy(name, shut, quality))) expect(channel).toBeCloseTo(light, 2)
  })

  it('white textures of everything change nothing where all light comes back', () => {
    const textures = [pictureOf(1, [255, 255, 255, 255]), pictureOf(1, [128, 128, 255, 255])]
    const directions: readonly MapName[] = ['normal', 'coatNormal', 'anisotropy']
    const maps = Object.fromEntries(MAP_NAMES.map(map => [map, use(directions.includes(map) ? 1 : 0)]))
    for (const material of [{ metallic: 1, roughness: 0.6 }, { roughness: 0.4 }]) {
      const light = meanLight(seenBy(name, one({ ...material, maps }, { textures, sky: 1 }), PATH))
      for (const channel of light) expect(Math.abs(channel - 1)).toBeLessThan(0.01)
    }
  })

  it('a sheet of frosted glass lets a white world through', () => {
    const sheet = one({ transmission: 1, thin: true, roughness: 0.3 }, { sky: 1 })
    const [light] = meanLight(seenBy(name, sheet, PATH))
    expect(light).toBeGreaterThan(0.97)
    expect(light).toBeLessThan(1.005)
  })
})

it('the wave and the scalar driver see the same', () => {
  const noise = (seed: number) =>
    pictureOf(
      16,
      ...Array.from(
        { length: 256 },
        (_, i) =>
          [0, 1, 2, 3].map(c => (i * (seed + c * 37) + (i >> 3) * 59) % 256) as [number, number, number, number],
      ),
    )
  const textures = [noise(91), noise(53), { ...noise(17), nearest: false, srgb: true }]
  const maps = Object.fromEntries(
    MAP_NAMES.map((map, i) => [map, { ...use(i % 3, (i & 1) as 0 | 1), transform: [2, 0.1, 0, 0, 3, i] }]),
  )
  const material: Partial<Material> = {
    metallic: 0.7,
    roughness: 0.8,
    transmission: 0.5,
    coat: 0.8,
    coatRoughness: 0.6,
    sheenColor: [0.5, 0.4, 1],
    sheenRoughness: 0.7,
    anisotropy: 0.7,
    iridescence: 0.8,
    dispersion: 2,
    alpha: 'blend',
    emission: [0.1, 0.2, 0.3],
    absorption: [0.1, 0, 0],
    maps: maps as Material['maps'],
  }
  const stack: Stack = {
    layers: [
      { z: -2, material: {} },
      { z: -1, material, turned: true },
      { z: 0, material },
    ],
    textures,
    sky: 1,
    lights: [sunFrom([0.6, 0, 0.8])],
  }
  for (const quality of [
    { ...AMBIENT, ambientRays: 3 },
    { ...PATH, samples: 8, bounces: 6 },
  ])
    expect(seenBy('wasm', stack, quality, 24)).toEqual(seenBy('reference', stack, quality, 24))
})
