/** A scene built after another with the same texels: what is taken over is what would have been made. */
import { describe, expect, it } from 'vitest'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Texture } from '../../../shared/scene/texture.ts'
import { engineByName } from '../../../worker/node/engines.ts'

const engine = engineByName('wasm')

const texture = (width: number, height: number, seed: number, changes: Partial<Texture> = {}): Texture => ({
  ...{ width, height, wrapU: 'repeat', wrapV: 'repeat', srgb: true, nearest: false },
  texels: Uint8Array.from({ length: width * height * 4 }, (_, i) => (i * seed + 31) % 256),
  ...changes,
})

const sceneOf = (textures: readonly Texture[], x = 0): SceneDescription => ({
  meshes: [
    {
      attributes: ['position', 'normal', 'uv'],
      vertices: Float32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1),
      indices: Uint32Array.of(0, 1, 2),
      slots: new Uint16Array(1),
      slotCount: 1,
    },
  ],
  instances: [{ mesh: 0, transform: IDENTITY.map((n, i) => (i === 3 ? x : n)), materials: [0] }],
  materials: [
    { ...DEFAULT_MATERIAL, maps: { color: { texture: textures.length - 1, set: 0, transform: [1, 0, 0, 0, 1, 0] } } },
  ],
  textures,
  lights: [],
  environment: { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] },
  centre: [0, 0, 0],
})

function built(scene: SceneDescription, like?: object): { readonly built: object; readonly image: Buffer } {
  const building = engine.begin(packScene(scene).bytes, 1, like)
  engine.help(building)
  const result = engine.finish(building)
  return { built: result, image: Buffer.from(engine.storage!.image(result)) }
}

const first = [texture(7, 5, 89), texture(16, 16, 57, { srgb: false })]
const swapped = (i: number, changes: Partial<Texture>) =>
  first.map((each, j) => (i === j ? { ...each, ...changes } : each))

describe('a scene built after one with the same texels', () => {
  it.each<[string, readonly Texture[]]>([
    ['the same textures', first],
    ['other wraps', swapped(0, { wrapU: 'mirror', nearest: true })],
    ['texels that are averaged in another way', swapped(1, { srgb: true })],
    ['another shape', swapped(0, { width: 5, height: 7 })],
    ['as many texels in one', [texture(7, 1, 89), texture(7, 4, 89), first[1]!]],
  ])('has every byte that it has alone: %s', (_, textures) => {
    const all = Buffer.concat(first.map(({ texels }) => texels))
    let at = 0
    const same = textures.map(each => {
      const texels = Uint8Array.from(all.subarray(at, at + each.texels.length))
      at += texels.length
      return { ...each, texels }
    })
    expect(at).toBe(all.length)
    const before = built(sceneOf(first))
    const alone = built(sceneOf(same, 3))
    const after = built(sceneOf(same, 3), before.built)
    expect(after.image.equals(alone.image)).toBe(true)
    expect(after.image.equals(before.image)).toBe(false)
    // One after that one, too.
    expect(built(sceneOf(same, 3), after.built).image.equals(alone.image)).toBe(true)
  })

  it('takes the texels over, and does not make them again', () => {
    const before = built(sceneOf(first))
    // What it is told is the same is not looked at.
    const other = first.map(each => ({ ...each, texels: each.texels.map(texel => texel ^ 1) }))
    expect(built(sceneOf(other), before.built).image.equals(before.image)).toBe(true)
  })
})
