/** Masks, blends, and back sides that are not to be seen: what shows behind them, and their shadows. */
import { describe, expect, it } from 'vitest'
import type { Quality, Vec3 } from '../../../shared/frame/view.ts'
import type { Light } from '../../../shared/scene/light.ts'
import type { Material } from '../../../shared/scene/material.ts'
import { usableEngines } from '../support/engines.ts'
import { meanLight, pictureOf, type Stack, seenBy } from '../support/stacked.ts'

const AMBIENT: Quality = { samples: 1, ambientRays: 0, maxDepth: 8 }
const PATH: Quality = { samples: 256, ambientRays: 0, maxDepth: 0, bounces: 3 }

/** What the sheet mirrors back to the floor is not seen. */
const ONCE: Quality = { ...PATH, bounces: 1 }

/** Shows its colour and nothing else, so that a picture's light can be predicted. */
const flag = (color: Vec3, more: Partial<Material> = {}): Partial<Material> => ({ color, unlit: true, ...more })
const [RED, GREEN, BLUE]: Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const use = { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } as const
/** What both faces of a sheet mirror of light that arrives head-on. */
const SHEET = 0.08 / 1.04
/** Left half see-through, right half not. */
const HALVES = pictureOf(2, [255, 255, 255, 0], [255, 255, 255, 255])

const close = (got: readonly number[], expected: readonly number[], tolerance: number) => {
  got.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!), `${got} for ${expected}`).toBeLessThan(tolerance)
  })
}

describe.each(usableEngines)('with the engine %s', name => {
  const blends: Stack = {
    layers: [
      { z: -2, material: flag(BLUE!) },
      { z: 0, material: flag(GREEN!, { alpha: 'blend', opacity: 0.5 }) },
      { z: 2, material: flag(RED!, { alpha: 'blend', opacity: 0.25 }) },
    ],
  }

  it('layers that blend show their share, front to back', () => {
    const expected = [0.25, 0.75 * 0.5, 0.75 * 0.5]
    close(meanLight(seenBy(name, blends, AMBIENT)), expected, 1e-6)
    // 64 pixels of 256 samples: a standard error of 0.004 at most.
    close(meanLight(seenBy(name, blends, PATH)), expected, 0.02)
  })

  it.each([AMBIENT, PATH])('a mask hides what is below its cutoff, however far away', quality => {
    for (const [cutoff, share] of [
      [0.5, 0.5],
      [0, 1],
      [1.1, 0],
    ] as const) {
      const mask = flag(RED!, { alpha: 'mask', alphaCutoff: cutoff, maps: { color: use } })
      const layers = [
        { z: -2, material: flag(BLUE!) },
        { z: 0, material: mask },
      ]
      close(meanLight(seenBy(name, { layers, textures: [HALVES] }, quality)), [share, 0, 1 - share], 0.02)
      const { depth } = seenBy(name, { layers, textures: [HALVES] }, { ...quality, samples: 1 })
      expect([depth[0], depth[7]].map(depth => Math.round(depth!))).toEqual([
        share === 1 ? 8 : 10,
        share === 0 ? 10 : 8,
      ])
    }
  })

  it.each([AMBIENT, PATH])('a picture of opacity counts with its green', quality => {
    const opacity = pictureOf(1, [255, 51, 255, 255])
    const material = flag(RED!, { alpha: 'blend', maps: { opacity: use } })
    close(meanLight(seenBy(name, { layers: [{ z: 0, material }], textures: [opacity] }, quality)), [0.2, 0, 0], 0.02)
  })

  it('a path goes straight on through sheets, and sees lamps on both sides', () => {
    const sheet: Partial<Material> = { color: [1, 0.5, 0], transmission: 1, roughness: 0, thin: true }
    const layers = [
      { z: -2, material: flag([1, 1, 1]) },
      { z: 0, material: sheet },
    ]
    close(meanLight(seenBy(name, { layers }, PATH)), [1 - SHEET, (1 - SHEET) / 2, 0], 0.02)
    const lamp = (z: number): Light => ({
      kind: 'rectangle',
      position: [0, 0, z],
      across: [1000, 0, 0],
      up: [0, -1000, 0],
      radiance: [1, 1, 1],
    })
    const floor = { z: -2, material: { color: [0.5, 0.5, 0.5] as const } }
    // The lamp shines downwards, from behind the camera: in front of the sheet, seen from the floor, or behind it.
    const lit = (z: number) =>
      meanLight(seenBy(name, { layers: [floor, { z: 12, material: sheet, half: 1e5 }], lights: [lamp(z)] }, ONCE))
    close(lit(11), [0.5, 0.5, 0.5], 0.01)
    const [red, green, blue] = lit(13)
    expect(green! / red!).toBeCloseTo(0.5, 2)
    expect(red).toBeGreaterThan(0.42)
    expect(red).toBeLessThan(0.5)
    expect(blue).toBeLessThan(1e-4)
  })

  it.each([AMBIENT, PATH])('cameras look through back sides that are culled', quality => {
    const layers = [
      { z: -2, material: flag(BLUE!, { culled: true }) },
      { z: 0, material: flag(RED!, { culled: true }), turned: true },
    ]
    close(meanLight(seenBy(name, { layers }, quality)), BLUE!, 1e-6)
    const shown = layers.map(layer => ({ ...layer, material: { ...layer.material, culled: false } }))
    close(meanLight(seenBy(name, { layers: shown }, quality)), RED!, 1e-6)
  })

  describe('surfaces that coincide', () => {
    const floor = { z: 0, material: flag(BLUE!) }
    const decal = { z: 0, half: 1, material: flag(RED!, { alpha: 'blend', opacity: 0.25 }) }
    const label = { z: 0, material: flag(GREEN!, { alpha: 'mask', maps: { color: use } }) }

    it.each([AMBIENT, PATH])('are met one after the other, those that let light through first', quality => {
      for (const layers of [
        [decal, floor],
        [floor, decal],
      ])
        close(meanLight(seenBy(name, { layers, sky: 9 }, quality)), [0.25, 0, 0.75], 0.02)
      for (const layers of [
        [label, decal, floor],
        [floor, label, decal],
        [decal, floor, label],
      ]) {
        const [red, green, blue] = meanLight(seenBy(name, { layers, textures: [HALVES], sky: 9 }, quality))
        const isFirst = layers.indexOf(decal) < layers.indexOf(label)
        close([red!, green!, blue!], isFirst ? [0.25, 0.375, 0.375] : [0.125, 0.5, 0.375], 0.02)
      }
    })

    it('are there where they are cut into other triangles, on the cuts, too', () => {
      for (const [above, below] of [
        [false, true],
        [true, false],
      ]) {
        const layers = [
          { ...decal, crossed: above! },
          { ...floor, half: 1, crossed: below! },
        ]
        // Rays through the centres of the pixels on a diagonal meet a cut exactly.
        const { light } = seenBy(name, { layers, sky: 9 }, AMBIENT)
        for (let i = 0; i < light.length; i += 3) close([...light.slice(i, i + 3)], [0.25, 0, 0.75], 1e-6)
      }
    })

    it.each([AMBIENT, PATH])('are met so also where their distances are rounded otherwise', quality => {
      for (const z of [0.3, -1.7, 3.1]) {
        const [sticker, wall] = [
          { ...decal, z, half: 1.37 },
          { ...floor, z, half: 97 },
        ]
        for (const layers of [
          [sticker, wall],
          [wall, sticker],
        ])
          close(meanLight(seenBy(name, { layers, sky: 9 }, { ...quality, samples: 64 })), [0.25, 0, 0.75], 0.02)
      }
    })

    it.each([AMBIENT, PATH])('are each there for light that passes', quality => {
      const sheet = (z: number) => ({
        z,
        material: { color: [0, 0, 0] as const, alpha: 'blend' as const, opacity: 0.5 },
      })
      const sun: Light = { kind: 'distant', direction: [0, 0, 1], irradiance: [Math.PI, Math.PI, Math.PI], angle: 0 }
      const stack = { layers: [{ z: 0, material: {} }, sheet(9), sheet(9), sheet(9)], lights: [sun] }
      close(meanLight(seenBy(name, stack, quality)), [1 / 8, 1 / 8, 1 / 8], 0.001)
    })
  })

  describe('a panel that glows', () => {
    const panel = (material: Partial<Material>): Stack => ({
      layers: [
        { z: 0, material: {} },
        { z: 9, material: { color: [0, 0, 0], emission: [1, 1, 1], ...material } },
      ],
      textures: [HALVES],
    })
    const light = (material: Partial<Material>) => meanLight(seenBy(name, panel(material), ONCE))[0]!
    const all = light({})

    it.each<[string, Partial<Material>, number]>([
      ['of a blend of opacity 0', { alpha: 'blend', opacity: 0 }, 0],
      ['of a blend of opacity 0.25', { alpha: 'blend', opacity: 0.25 }, 0.25],
      ['of a mask below its cutoff', { alpha: 'mask', opacity: 0.4 }, 0],
      ['of a mask above it', { alpha: 'mask', opacity: 0.6 }, 1],
      ['of a blend by a picture', { alpha: 'blend', maps: { color: use } }, 0.5],
      ['of a mask by a picture', { alpha: 'mask', maps: { color: use } }, 0.5],
    ])('%s lights as much as there is of it', (_, material, share) => {
      expect(all).toBeGreaterThan(0.5)
      expect(light(material) / all).toBeCloseTo(share, 1)
      if (share === 0) expect(light(material)).toBe(0)
    })

    it('is dark behind a card just before it', () => {
      const layers = [
        { z: 0, material: {} },
        { z: 12 - 0.0009, material: { color: [0, 0, 0] as const } },
        { z: 12, material: { color: [0, 0, 0] as const, emission: [1, 1, 1] as const } },
      ]
      expect(meanLight(seenBy(name, { layers }, ONCE))).toEqual([0, 0, 0])
    })
  })

  describe('the shadow of what is beside the camera', () => {
    const sun: Light = { kind: 'distant', direction: [0, 0, 1], irradiance: [Math.PI, Math.PI, Math.PI], angle: 0 }
    const under = (...layers: Stack['layers']): Stack => ({
      layers: [{ z: 0, material: {} }, ...layers],
      textures: [HALVES],
      lights: [sun],
    })
    const behind = (z: number, material: Partial<Material>) => ({
      z,
      material: { color: [0, 0, 0] as const, ...material },
    })

    it.each<[string, Stack, number]>([
      [
        'lets through what two blends let through',
        under(behind(9, { alpha: 'blend', opacity: 0.25 }), behind(10, { alpha: 'blend', opacity: 0.5 })),
        0.375,
      ],
      ['is that of a mask', under(behind(9, { alpha: 'mask', maps: { color: use } })), 0.5],
      [
        'is whole where a blend covers something opaque',
        under(behind(9, { alpha: 'blend', opacity: 0.5 }), behind(10, {})),
        0,
      ],
      ['is whole under back sides that are culled', under({ ...behind(9, { culled: true }), turned: true }), 0],
    ])('%s', (_, stack, share) => {
      for (const quality of [AMBIENT, PATH])
        close(meanLight(seenBy(name, stack, quality)), [share, share, share], 0.001)
    })

    it('of a sheet of glass is tinted, where paths ask', () => {
      const stack = under(behind(9, { color: [1, 0.5, 0], transmission: 1, roughness: 0, thin: true }))
      const passed = 1 - SHEET
      close(meanLight(seenBy(name, stack, ONCE)), [passed, passed / 2, 0], 1e-4)
    })

    it('is that of glass, too, unless paths ask', () => {
      const stack = under(behind(9, { alpha: 'blend', opacity: 0.5 }), behind(10, { transmission: 1, roughness: 0 }))
      close(meanLight(seenBy(name, stack, AMBIENT)), [0.3, 0.3, 0.3], 0.001)
      close(meanLight(seenBy(name, stack, PATH)), [0, 0, 0], 0.001)
    })
  })
})

it('the wave and the scalar driver see the same', () => {
  const layers = Array.from({ length: 9 }, (_, i) => ({
    z: i - 3,
    material: {
      color: [0.9, 0.2 + 0.08 * i, 0.5] as const,
      alpha: (['mask', 'blend'] as const)[i % 2]!,
      opacity: 0.6,
      culled: i % 3 === 0,
      maps: i > 5 ? { color: use } : {},
    },
    turned: i % 4 === 1,
  }))
  for (const quality of [
    { ...AMBIENT, samples: 3, ambientRays: 4 },
    { ...PATH, samples: 8 },
  ]) {
    const stack: Stack = {
      layers: [{ z: -5, material: {} }, ...layers],
      textures: [HALVES],
      sky: 1,
      lights: [{ kind: 'distant', direction: [0.6, 0, 0.8], irradiance: [2, 2, 2], angle: 0.01 }],
    }
    expect(seenBy('wasm', stack, quality, 20)).toEqual(seenBy('reference', stack, quality, 20))
  }
})
