/** Textures as a device looks them up, beside the description's own texels, at places of every kind. */
import { afterAll, describe, expect, it } from 'vitest'
import { linearFromSrgb } from '../../../../shared/math/srgb.ts'
import { bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { Texture, Wrap } from '../../../../shared/scene/texture.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { DEVICE_MATERIAL, DEVICE_SCENE, DEVICE_TEXTURE_USE } from '../../../../worker/engine/webgpu/kernel/records.ts'
import { TEXTURE } from '../../../../worker/engine/webgpu/kernel/surface/texture.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { SCENE_RECORDS, sceneBuffers } from '../../../support/device-scene.ts'
import { mapped } from '../../../support/mapped-scene.ts'
import { sharedBytes } from '../../support/meshes.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const WRAPS = ['repeat', 'clamp', 'mirror'] as const
const TEXTURES = WRAPS.flatMap((wrapU, i) =>
  (
    [
      [5, 7, true, false],
      [8, 4, false, true],
      [1, 1, true, false],
    ] as const
  ).map(
    // biome-ignore format: one line
    ([width, height, srgb, nearest]): Texture => ({
      ...{ width, height, srgb, nearest, wrapU, wrapV: WRAPS[(i + 1) % 3]! },
      texels: Uint8Array.from({ length: width * height * 4 }, (_, k) => (k * 89 + 31 * i) % 256),
    }),
  ),
)
/** The edges, and what is beyond them, exactly and nearly. */
const PLACES = [0, -0, 1, 0.5, 0.1, 0.31, 0.999, -0.2, 1.7, 2, -1, -3.3, 1000.4, 1 / 14, 13 / 14]

/** The texel at a number along an axis, or beyond the edge. */
const wrapped = (number: number, size: number, wrap: Wrap): number =>
  wrap === 'repeat' ? ((number % size) + size) % size : Math.min(size - 1, Math.max(0, number))

function placed(coordinate: number, size: number, wrap: Wrap, nearest: boolean) {
  let place = Math.fround(coordinate)
  if (wrap === 'repeat') place -= Math.floor(place)
  if (wrap === 'mirror') place = 1 - Math.abs((((place % 2) + 2) % 2) - 1)
  const at = Math.min(1, Math.max(0, place)) * size - 0.5
  const low = Math.floor(at)
  const share = nearest ? Number(at - low >= 0.5) : at - low
  return { texels: [wrapped(low, size, wrap), wrapped(low + 1, size, wrap)] as const, share }
}

function expectedAt({ width, height, wrapU, wrapV, srgb, nearest, texels }: Texture, u: number, v: number): number[] {
  const [x, y] = [placed(u, width, wrapU, nearest), placed(v, height, wrapV, nearest)]
  return [0, 1, 2, 3].map(channel => {
    const value = (i: 0 | 1, j: 0 | 1) => {
      const byte = texels[(y.texels[j] * width + x.texels[i]) * 4 + channel]! / 255
      return srgb && channel < 3 ? linearFromSrgb(byte) : byte
    }
    const row = (j: 0 | 1) => value(0, j) * (1 - x.share) + value(1, j) * x.share
    return row(0) * (1 - y.share) + row(1) * y.share
  })
}

describe.skipIf(!functions)('textures on a device', () => {
  const scene = mapped()
  const maps = Object.fromEntries(
    TEXTURES.slice(0, 9).map((_, texture) => [
      ['color', 'opacity', 'occlusion', 'metallic', 'roughness', 'normal', 'specular', 'transmission', 'coat'][
        texture
      ]!,
      { texture, set: 0, transform: [1, 0, 0, 0, 1, 0] },
    ]),
  )
  const packed = packScene({ ...scene, textures: TEXTURES, materials: scene.materials.map(m => ({ ...m, maps })) })
  const engine = engineByName('wasm')
  const building = engine.begin(sharedBytes(bakedScene(packed)), 1)
  engine.help(building)
  const buffers = sceneBuffers(engine.finish(building) as WasmScene)
  const wordsOf = (name: string) => buffers.find(({ declaration }) => declaration.includes(` ${name}:`))!.words
  const tables = wordsOf('tables')
  const first = tables[wordsOf('scene')[DEVICE_SCENE.wordOf('materials')]! + DEVICE_MATERIAL.wordOf('maps')]!
  const addressOf = (texture: number) =>
    TEXTURES.map((_, use) => tables[first + use * DEVICE_TEXTURE_USE.words + DEVICE_TEXTURE_USE.wordOf('texture')]!)[
      texture
    ]!
  const code = (body: string) => `${SCENE_RECORDS}${TEXTURE}\nfn call(at: u32, to: u32) {\n${body}\n}\n`

  it('are looked up between texels, at edges and beyond', async () => {
    const asked = TEXTURES.flatMap((_, texture) => PLACES.flatMap((u, i) => [
      [texture, u, PLACES[(i + 4) % PLACES.length]!] as const,
    ])) // biome-ignore format: one line
    const inputs = Float32Array.from(asked.flatMap(([texture, u, v]) => [addressOf(texture), u, v]))
    const got = await functions!.call({
      code: code(`let texel = texture_at(u32(inputs[at]), 0u, inputs[at + 1u], inputs[at + 2u]);
        for (var k = 0u; k < 4u; k++) { outputs[to + k] = texel[k]; }`),
      ...{ buffers, inputs, counts: [3, 4] },
    })
    asked.forEach(([texture, u, v], i) => {
      const expected = expectedAt(TEXTURES[texture]!, u, v)
      const off = expected.map((value, k) => Math.abs(value - got[i * 4 + k]!))
      // A coordinate of 1000 leaves four digits of a place.
      expect([texture, u, v, Math.max(...off) < (Math.abs(u) > 9 || Math.abs(v) > 9 ? 5e-3 : 2e-5)]).toEqual([
        texture,
        u,
        v,
        true,
      ])
    })
  })

  it('have the level whose texels are at most as wide as what is seen', async () => {
    // Of 8 by 4 texels: areas of the whole texture that are so many texels.
    const areas = [0, 0.01, 3.9, 4, 15.9, 16, 63, 64, 1e9, Number.POSITIVE_INFINITY, Number.NaN]
    const inputs = Float32Array.from(areas.flatMap(texels => [addressOf(1), texels / 32]))
    const body = 'outputs[to] = f32(level_for(u32(inputs[at]), inputs[at + 1u]));'
    const got = await functions!.call({ code: code(body), buffers, inputs, counts: [2, 1] })
    expect([...got.slice(0, -2)]).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3])
    for (const level of got.slice(-2)) expect([0, 3]).toContain(level)
  })
})
