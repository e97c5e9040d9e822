/** Colours of vertices: a surface's colour is its material's times what lies between those of the corners. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../shared/frame/rect.ts'
import { toMeans } from '../../../shared/frame/sample-layout.ts'
import { allSamples, type Quality, type Vec3, type View } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere, usableEngines } from '../support/engines.ts'
import { viewOf } from '../support/meshes.ts'

const SIDE = 24
/** Linear in x and y, so that both halves of a square agree. */
const colorAt = (x: number, y: number): Vec3 => [0.5 + 0.2 * x, 0.5 - 0.15 * y, 0.4 + 0.1 * x + 0.1 * y]

/** Squares of side 4 at z = -3: one with colours, and beside it one of the same material without. */
function squares(material: Partial<Material>): SceneDescription {
  const places = [
    [-2, -2],
    [2, -2],
    [2, 2],
    [-2, 2],
  ] as const
  const square = { indices: Uint32Array.of(0, 1, 2, 0, 2, 3), slots: new Uint16Array(2), slotCount: 1 }
  return {
    meshes: [
      {
        attributes: ['position', 'normal', 'color'],
        vertices: Float32Array.from(places.flatMap(([x, y]) => [x, y, -3, 0, 0, 1, ...colorAt(x, y), 1])),
        ...square,
      },
      {
        attributes: ['position', 'normal'],
        vertices: Float32Array.from(places.flatMap(([x, y]) => [x, y, -3, 0, 0, 1])),
        ...square,
      },
    ],
    instances: [
      { mesh: 1, transform: [1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0], materials: [0] },
      { mesh: 0, transform: IDENTITY, materials: [0] },
    ],
    materials: [{ ...DEFAULT_MATERIAL, color: [1, 0.5, 0.25], ...material }],
    lights: [],
    environment: { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] },
    textures: [],
    centre: [0, 0, 0],
  }
}

const view = (quality: Quality): View => ({
  ...viewOf([2 * SIDE, SIDE], { quality }),
  // The frame shows x from -2 to 6 and y from -2 to 2 of the plane.
  camera: {
    origin: [2, 0, 5],
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    tanHalfX: 0.5,
    tanHalfY: 0.25,
    near: 0.1,
    far: 100,
  },
})

const AMBIENT: Quality = { samples: 1, ambientRays: 0, maxDepth: 4 }
const PATH: Quality = { samples: 16, ambientRays: 0, maxDepth: 0, bounces: 2 }

describe.each(usableEngines)('with the engine %s', name => {
  const lightOf = (material: Partial<Material>, quality: Quality) => {
    const tracer = openHere(engineByName(name), bakedScene(packScene(squares(material))))
    const pixels = 2 * SIDE * SIDE
    const [light, albedo] = [new Float64Array(pixels * 3), new Float64Array(pixels * 3)]
    const shown = view(quality)
    tracer.trace(shown, { rect: frameRect(shown.size) }, allSamples(shown), { light, albedo })
    toMeans(quality, light, albedo)
    return { light, albedo }
  }

  it.each<[string, Partial<Material>, Quality]>([
    ['of a matte surface', {}, AMBIENT],
    ['of a mirror', { metallic: 1, roughness: 0 }, AMBIENT],
    ['of a matte surface in path tracing', {}, PATH],
    ['of a mirror in path tracing', { metallic: 1, roughness: 0 }, PATH],
  ])('they tint the light %s, and the albedo', (_, material, quality) => {
    const { light, albedo } = lightOf(material, quality)
    for (let y = 0; y < SIDE; y++)
      for (let x = 0; x < 2 * SIDE; x++) {
        const [px, py] = [((x + 0.5) / SIDE) * 4 - 2, 2 - ((y + 0.5) / SIDE) * 4]
        const own = px < 2 ? colorAt(px, py) : [1, 1, 1]
        ;[1, 0.5, 0.25].forEach((color, channel) => {
          const at = (y * 2 * SIDE + x) * 3 + channel
          // Colours are kept with 16 bits; a pixel's samples lie around its middle.
          const tolerance = quality === PATH ? 0.006 : 3e-5
          expect(Math.abs(albedo[at]! - color * own[channel]!)).toBeLessThan(tolerance)
          expect(Math.abs(light[at]! - color * own[channel]!)).toBeLessThan(tolerance)
        })
      }
  })

  it('they tint the light that rough metal scatters several times', () => {
    const metal = { metallic: 1, roughness: 1 }
    const whole = lightOf({ ...metal, color: [0.6, 0.5, 0.4] }, PATH).light
    const colored = lightOf({ ...metal, color: [1, 1, 1] }, PATH).light
    // In the middle of the square with colours they are 0.5, 0.5, 0.4.
    const middle = ((SIDE / 2) * 2 * SIDE + SIDE / 2) * 3
    const beside = middle + SIDE * 3
    for (const channel of [1, 2]) expect(colored[middle + channel]!).toBeCloseTo(whole[beside + channel]!, 1)
  })
})

describe('the wave and the scalar driver', () => {
  it.each([AMBIENT, { ...AMBIENT, samples: 3, ambientRays: 5 }, PATH])('see the same colours', quality => {
    const [wave, alone] = (['wasm', 'reference'] as const).map(name => {
      const scene = bakedScene(packScene(squares({ coat: 1 })))
      const shown = view(quality)
      const rgb = new Uint8Array(2 * SIDE * SIDE * 3)
      openHere(engineByName(name), scene).trace(shown, { rect: frameRect(shown.size) }, allSamples(shown), { rgb })
      return rgb
    })
    expect(Buffer.compare(wave!, alone!)).toBe(0)
  })
})
