/** A scene built after another with the same texels: what is taken over is what would have been made. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Texture } from '../../../shared/scene/texture.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { viewOf } from '../support/meshes.ts'

const engine = engineByName('wasm')

const texture = (width: number, height: number, seed: number, changes: Partial<Texture> = {}): Texture => ({
  width,
  height,
  wrapU: 'repeat',
  wrapV: 'repeat',
  srgb: true,
  nearest: false,
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

function built(scene: SceneDescription, like?: object, refit = false, spare?: object) {
  const building = engine.begin(packScene(scene).bytes, 1, like && { built: like, refit, spare })
  engine.help(building)
  const result = engine.finish(building)
  return { built: result, image: Buffer.from(engine.storage!.image(result)) }
}

const memoryOf = (scene: object) => (scene as { memory: WebAssembly.Memory }).memory

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

describe('a scene that may take the memory of one that nobody needs', () => {
  const map = { kind: 'map', width: 8, height: 4, intensity: 1, rotation: 0 } as const
  const lit = (x: number): SceneDescription => ({
    ...sceneOf(first, x),
    environment: { ...map, texels: Float32Array.from({ length: 96 }, (_, i) => (i * 7 + x) % 5) },
    lights: [{ kind: 'distant', direction: [0, 0, 1], irradiance: [x, 1, 1], angle: 0.1 }],
  })

  it('takes it if everything lies where it lay, and has every byte that it has elsewhere', () => {
    const scenes = [0, 1, 2, 3, 4].map(lit)
    let [older, newer] = [built(scenes[0]!), built(scenes[1]!)]
    for (const scene of scenes.slice(2)) {
      const elsewhere = built(scene, newer.built, true)
      const there = built(scene, newer.built, true, older.built)
      expect(memoryOf(there.built)).toBe(memoryOf(older.built))
      expect(memoryOf(elsewhere.built)).not.toBe(memoryOf(older.built))
      expect(there.image.equals(elsewhere.image)).toBe(true)
      expect(memoryOf(there.built).buffer.byteLength).toBe(memoryOf(elsewhere.built).buffer.byteLength)
      older = newer
      newer = there
    }
  })

  it.each<[string, SceneDescription]>([
    ['more materials', { ...lit(2), materials: [...lit(2).materials, DEFAULT_MATERIAL] }],
    ['another triangle', { ...lit(2), instances: [...lit(2).instances, ...lit(3).instances] }],
    ['other corners', { ...lit(2), meshes: [{ ...lit(2).meshes[0]!, indices: Uint32Array.of(0, 2, 1) }] }],
  ])('has one of its own if it has %s', (_, scene) => {
    const [older, newer] = [built(lit(0)), built(lit(1))]
    const there = built(scene, newer.built, true, older.built)
    expect(memoryOf(there.built)).not.toBe(memoryOf(older.built))
    expect(there.image.equals(built(scene).image)).toBe(true)
  })
})

describe('a scene built after one with the same environment', () => {
  const texels = Float32Array.from({ length: 32 * 16 * 3 }, (_, i) => ((i * 37) % 101) / 20)
  const lit = (more: object, x: number): SceneDescription => ({
    ...sceneOf(first, x),
    environment: { kind: 'map', width: 32, height: 16, intensity: 1, rotation: 0, texels: texels.slice(), ...more },
  })

  it.each<[string, object]>([
    ['the same', {}],
    ['another intensity', { intensity: 2, rotation: 0.25 }],
    ['another texel', { texels: texels.map((value, i) => (i === 700 ? value + 1 : value)) }],
    ['another shape', { width: 16, height: 32 }],
  ])('has every byte that it has alone: %s', (_, more) => {
    const before = built(lit({}, 0)).built
    const alone = built(lit(more, 3))
    const after = built(lit(more, 3), before)
    expect(after.image.equals(alone.image)).toBe(true)
    expect(built(lit(more, 3), after.built).image.equals(alone.image)).toBe(true)
    expect(built(sceneOf(first, 3), before).image.equals(built(sceneOf(first, 3)).image)).toBe(true)
  })
})

describe('a scene whose structure is refitted', () => {
  const wavy = (time: number, change: Partial<SceneDescription> = {}): SceneDescription => {
    const side = 24
    const at = (i: number, j: number) => [
      i / side - 0.5,
      0.2 * Math.sin(9 * time + i / 3) * Math.cos(j / 2),
      j / side - 0.5,
    ]
    const grid = Array.from({ length: (side + 1) ** 2 }, (_, n) => at(n % (side + 1), Math.floor(n / (side + 1))))
    const square = (n: number) => [n, n + side + 1, n + 1, n + 1, n + side + 1, n + side + 2]
    const corners = Array.from({ length: side * side }, (_, n) =>
      square(Math.floor(n / side) * (side + 1) + (n % side)),
    )
    return {
      meshes: [
        {
          attributes: ['position'],
          vertices: Float32Array.from(grid.flat()),
          indices: Uint32Array.from(corners.flat()),
          slots: new Uint16Array(side * side * 2),
          slotCount: 1,
        },
      ],
      instances: [0, 1].map(i => ({ mesh: 0, transform: [1, 0, 0, i * time, 0, 1, 0, i, 0, 0, 1, 0], materials: [i] })),
      materials: [DEFAULT_MATERIAL, { ...DEFAULT_MATERIAL, metallic: 1, roughness: 0 }],
      textures: [],
      lights: [{ kind: 'distant', direction: [0.6, 0.64, 0.48], irradiance: [3, 3, 3], angle: 0 }],
      environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [1, 1, 1], ground: [0.2, 0.2, 0.2] },
      centre: [0, 0, 0],
      ...change,
    }
  }
  const size = [48, 32] as const
  const view: View = {
    ...viewOf(size, { quality: { samples: 2, ambientRays: 2, maxDepth: 4 } }),
    camera: {
      origin: [0, 1, 4],
      right: [1, 0, 0],
      up: [0, 1, 0],
      back: [0, 0, 1],
      tanHalfX: 0.45,
      tanHalfY: 0.3,
      near: 0.1,
      far: 100,
    },
  }
  const picture = (scene: object): Buffer => {
    const rgb = new Uint8Array(size[0] * size[1] * 3)
    engine.open(scene, 0).trace(view, { rect: frameRect(size) }, allSamples(view), { rgb })
    return Buffer.from(rgb)
  }
  const isRefitted = (scene: object): boolean => 'tree' in scene

  it('shows what it shows with one of its own', () => {
    let before = built(wavy(0)).built
    for (const time of [0.1, 0.3, 0.2, 0.7]) {
      const after = built(wavy(time), before, true).built
      expect(isRefitted(after)).toBe(true)
      const alone = built(wavy(time)).built
      expect(isRefitted(alone)).toBe(false)
      expect(picture(after).equals(picture(alone))).toBe(true)
      expect(picture(after).equals(picture(before))).toBe(false)
      before = after
    }
  })

  it.each<[string, SceneDescription]>([
    [
      'other triangles',
      wavy(0.1, { meshes: [{ ...wavy(0).meshes[0]!, indices: wavy(0).meshes[0]!.indices.toReversed() }] }),
    ],
    ['more instances', wavy(0.1, { instances: [...wavy(0).instances, wavy(0.4).instances[1]!] })],
    [
      'triangles of other materials',
      wavy(0.1, { instances: wavy(0).instances.map(each => ({ ...each, materials: [0] })) }),
    ],
    [
      'a material that lets light through now',
      wavy(0.1, { materials: [{ ...DEFAULT_MATERIAL, alpha: 'blend', opacity: 0.5 }, wavy(0).materials[1]!] }),
    ],
  ])('is built anew for a scene with %s', (_, scene) => {
    const after = built(scene, built(wavy(0)).built, true).built
    expect(isRefitted(after)).toBe(false)
    expect(picture(after).equals(picture(built(scene).built))).toBe(true)
  })

  it('is built anew when the tree has decayed, and only then', () => {
    const torn = (amount: number): SceneDescription => {
      const scene = wavy(0)
      const [mesh] = scene.meshes
      const vertices = mesh!.vertices.map((value, i) => value + amount * Math.sin(i * 12.9898))
      return { ...scene, meshes: [{ ...mesh!, vertices }] }
    }
    const far = built(torn(1), built(wavy(0)).built, true).built
    expect(isRefitted(far)).toBe(true)
    expect(isRefitted(built(torn(1.01), far, true).built)).toBe(false)
    const near = built(torn(0.001), built(wavy(0)).built, true).built
    expect(isRefitted(built(torn(0.002), near, true).built)).toBe(true)
  })

  it.each<[string, number]>([
    ['the tree', 0],
    ['another tree over the same triangles', 0.9],
  ])('has every byte that it has elsewhere in a memory that has %s', (_, time) => {
    const newer = built(wavy(0.1), built(wavy(0)).built, true).built
    const spare = built(wavy(time))
    const elsewhere = built(wavy(0.2), newer, true)
    const there = built(wavy(0.2), newer, true, spare.built)
    expect(memoryOf(there.built)).toBe(memoryOf(spare.built))
    expect(there.image.equals(elsewhere.image)).toBe(true)
  })

  it('is built anew unless refitting is asked for', () => {
    expect(isRefitted(built(wavy(0.1), built(wavy(0)).built, false).built)).toBe(false)
  })
})
