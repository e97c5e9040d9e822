/** Textures of colour: a surface's colour is its material's times the texture's, at the vertices' coordinates. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../shared/frame/rect.ts'
import { toMeans } from '../../../shared/frame/sample-layout.ts'
import { allSamples, type Quality, type Vec3, type View } from '../../../shared/frame/view.ts'
import { linearFromSrgb } from '../../../shared/math/srgb.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import type { TextureUse } from '../../../shared/scene/texture.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere, usableEngines } from '../support/engines.ts'
import { viewOf } from '../support/meshes.ts'

const SIDE = 6
const COLOR: Vec3 = [1, 0.5, 0.25]
const AS_IT_IS: TextureUse['transform'] = [1, 0, 0, 0, 1, 0]
const TRANSPOSED: TextureUse['transform'] = [0, 1, 0, 1, 0, 0]

const texels = Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, i) => (i * 89 + 31) % 256)

/** A square of side 4 at z = -3; its texture's first row is at the top. */
function square(transform: TextureUse['transform'], srgb: boolean, material: Partial<Material> = {}): SceneDescription {
  const corners = [
    [-2, -2, 0, 1],
    [2, -2, 1, 1],
    [2, 2, 1, 0],
    [-2, 2, 0, 0],
  ] as const
  return {
    meshes: [
      {
        attributes: ['position', 'normal', 'uv'],
        vertices: Float32Array.from(corners.flatMap(([x, y, u, v]) => [x, y, -3, 0, 0, 1, u, v])),
        indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
        slots: new Uint16Array(2),
        slotCount: 1,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: [0] }],
    materials: [{ ...DEFAULT_MATERIAL, color: COLOR, maps: { color: { texture: 0, set: 0, transform } }, ...material }],
    textures: [{ width: SIDE, height: SIDE, wrapU: 'repeat', wrapV: 'clamp', srgb, nearest: false, texels }],
    lights: [],
    environment: { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] },
    centre: [0, 0, 0],
  }
}

/** A pixel's middle is a texel's. */
const view = (quality: Quality, perTexel = 1): View => ({
  ...viewOf([SIDE * perTexel, SIDE * perTexel], { quality }),
  camera: {
    origin: [0, 0, 5],
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    tanHalfX: 0.25,
    tanHalfY: 0.25,
    near: 0.1,
    far: 100,
  },
})

const AMBIENT: Quality = { samples: 1, ambientRays: 0, maxDepth: 4 }
const PATH: Quality = { samples: 4, ambientRays: 0, maxDepth: 0, bounces: 2 }

function tracedBy(name: (typeof usableEngines)[number], scene: SceneDescription, shown: View) {
  const tracer = openHere(engineByName(name), bakedScene(packScene(scene)))
  const numbers = shown.size[0] * shown.size[1] * 3
  const planes = { light: new Float64Array(numbers), albedo: new Float64Array(numbers) }
  tracer.trace(shown, { rect: frameRect(shown.size) }, allSamples(shown), planes)
  toMeans(shown.quality, planes.light, planes.albedo)
  return planes
}

describe.each(usableEngines)('with the engine %s', name => {
  it.each([
    ['as it is', AS_IT_IS, true],
    ['as it is, of linear values', AS_IT_IS, false],
    ['transposed', TRANSPOSED, true],
  ] as const)('a texture is shown %s', (_, transform, srgb) => {
    for (const material of [{}, { metallic: 1, roughness: 0 }]) {
      const { light, albedo } = tracedBy(name, square(transform, srgb, material), view(AMBIENT))
      for (let y = 0; y < SIDE; y++)
        for (let x = 0; x < SIDE; x++)
          for (const channel of [0, 1, 2] as const) {
            const texel = transform === TRANSPOSED ? x * SIDE + y : y * SIDE + x
            const value = texels[texel * 4 + channel]! / 255
            const expected = COLOR[channel] * (srgb ? linearFromSrgb(value) : value)
            const at = (y * SIDE + x) * 3 + channel
            expect(light[at]!).toBeCloseTo(expected, 5)
            expect(albedo[at]!).toBeCloseTo(expected, 5)
          }
    }
  })

  it('path tracing shows the same, between the texels, too', () => {
    const scene = square(AS_IT_IS, true)
    const { albedo } = tracedBy(name, scene, view({ ...AMBIENT, samples: 64 }, 2))
    const { light } = tracedBy(name, scene, view({ ...PATH, samples: 64 }, 2))
    for (let i = 0; i < light.length; i++) expect(Math.abs(light[i]! - albedo[i]!)).toBeLessThan(0.02)
  })
})

it('the wave and the scalar driver see the same textures', () => {
  for (const quality of [{ ...AMBIENT, samples: 3, ambientRays: 5 }, PATH]) {
    const scene = square([3, 0.4, 0.1, -0.3, 2, 0.7], true, { coat: 1 })
    const [wave, alone] = (['wasm', 'reference'] as const).map(name => tracedBy(name, scene, view(quality, 5)))
    expect(wave).toEqual(alone)
  }
})

describe('a packed scene', () => {
  it('keeps its textures', () => {
    const { textures, materials } = readPackedScene(packScene(square(TRANSPOSED, true)).bytes)
    expect(textures).toEqual(square(TRANSPOSED, true).textures)
    expect(materials[0]!.maps).toEqual({ color: { texture: 0, set: 0, transform: TRANSPOSED } })
  })

  it.each<[string, (scene: SceneDescription) => SceneDescription, string]>([
    [
      'without the texture that a material names',
      scene => ({ ...scene, textures: [] }),
      'material 0 names texture 0 of 0',
    ],
    [
      'with a texture whose texels do not suffice',
      scene => ({ ...scene, textures: scene.textures.map(texture => ({ ...texture, width: SIDE + 1 })) }),
      `texture 0: expected ${(SIDE + 1) * SIDE * 4} bytes, got ${SIDE * SIDE * 4}`,
    ],
    [
      'with a texture without a side',
      scene => ({ ...scene, textures: [{ ...scene.textures[0]!, height: 0, texels: new Uint8Array(0) }] }),
      'expected number to be >=1',
    ],
  ])('%s is refused', (_, broken, message) => {
    expect(() => packScene(broken(square(AS_IT_IS, true)))).toThrow(message)
  })
})
