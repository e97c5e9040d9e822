/** What a device has of a scene besides its triangles: records by the names of their fields, addresses that lead to what they led to in the memory. */
import { describe, expect, it } from 'vitest'
import { bakedScene } from '../../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { MAP_NAMES } from '../../../../shared/scene/material.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { header } from '../../../../worker/engine/wasm/records/access.ts'
import { MATERIAL } from '../../../../worker/engine/wasm/records/material.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { expectRoom } from '../../../../worker/engine/webgpu/device-buffers.ts'
import type { DeviceRecord } from '../../../../worker/engine/webgpu/device-record.ts'
import { deviceTables, UNUSED_WORDS } from '../../../../worker/engine/webgpu/device-tables.ts'
import type { GpuDevice } from '../../../../worker/engine/webgpu/gpu.ts'
import {
  DEVICE_LEVEL,
  DEVICE_LIGHT,
  DEVICE_MATERIAL,
  DEVICE_SCENE,
  DEVICE_TEXTURE,
  DEVICE_TEXTURE_USE,
  DEVICE_TREE_LIGHT,
} from '../../../../worker/engine/webgpu/kernel/records.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { fullScene } from '../../../support/full-scene.ts'
import { mapped } from '../../../support/mapped-scene.ts'
import { mixedScene, sharedBytes } from '../../support/meshes.ts'

function memoryOf(bytes: { readonly bytes: Uint8Array }): KernelMemory {
  const engine = engineByName('wasm')
  const building = engine.begin(sharedBytes(bytes), 1)
  engine.help(building)
  return new KernelMemory((engine.finish(building) as WasmScene).memory)
}
const packed = (scene: SceneDescription) => bakedScene(packScene(scene))

/** Reads what a shader would read. */
class Reader {
  readonly made: ReturnType<typeof deviceTables>
  readonly #floats: Float32Array
  /** The buffers of texels and of what vertices have. */
  readonly texels: Uint32Array
  readonly attributes: Uint32Array

  constructor(memory: KernelMemory) {
    this.made = deviceTables(memory)
    this.#floats = new Float32Array(this.made.tables.buffer)
    const joined = (ranges: typeof this.made.texels) => [
      ...new Uint32Array(UNUSED_WORDS),
      ...ranges.flatMap(({ from, to }) => [...memory.words.slice(from / 4, to / 4)]),
    ]
    this.texels = Uint32Array.from(joined(this.made.texels))
    this.attributes = Uint32Array.from(joined(this.made.attributes))
  }

  header = (field: string) => this.made.scene[DEVICE_SCENE.wordOf(field)]!
  word = (record: DeviceRecord, at: number, field: string) => this.made.tables[at + record.wordOf(field)]!
  float = (record: DeviceRecord, at: number, field: string, k = 0) => this.#floats[at + record.wordOf(field) + k]!
}

describe('tables of a scene on a device', () => {
  it('have materials, their textures, and the texels of these', () => {
    const scene = mapped()
    const memory = memoryOf(packed(scene))
    const { texels, header: of, word, float } = new Reader(memory)
    let uses = 0
    scene.materials.forEach(({ color, roughness, maps }, i) => {
      const at = of('materials') + i * DEVICE_MATERIAL.words
      const inKernel = header(memory, 'materials') + i * MATERIAL.bytes
      expect(word(DEVICE_MATERIAL, at, 'kind')).toBe(memory.words[(inKernel + MATERIAL.fields.kind.offset) / 4])
      expect([0, 1, 2].map(k => float(DEVICE_MATERIAL, at, 'color', k))).toEqual(color.map(Math.fround))
      expect(float(DEVICE_MATERIAL, at, 'roughness')).toBe(Math.fround(roughness))
      expect(word(DEVICE_MATERIAL, at, 'mapCount')).toBe(Object.keys(maps).length)
      const ordered = MAP_NAMES.flatMap(name => maps[name] ?? [])
      ordered.forEach((use, k) => {
        uses++
        const map = word(DEVICE_MATERIAL, at, 'maps') + k * DEVICE_TEXTURE_USE.words
        const [a, b, c, d, e, f] = use.transform.map(Math.fround)
        const columns = Array.from({ length: 7 }, (_, word) => float(DEVICE_TEXTURE_USE, map, 'transform', word))
        expect(columns).toEqual([a, b, c, 0, d, e, f])
        expect(word(DEVICE_TEXTURE_USE, map, 'set')).toBe(use.set)
        const texture = word(DEVICE_TEXTURE_USE, map, 'texture')
        const level = texture + DEVICE_TEXTURE.words
        const { width, height, texels: all } = scene.textures[use.texture]!
        expect([word(DEVICE_LEVEL, level, 'width'), word(DEVICE_LEVEL, level, 'height')]).toEqual([width, height])
        const words = new Uint32Array(all.buffer)
        for (const [x, y] of [
          [0, 0],
          [width - 1, 0],
          [0, height - 1],
          [5, 6],
          [width - 1, height - 1],
        ] as const) {
          // biome-ignore format: one line
          const block = (y >> 2) * word(DEVICE_LEVEL, level, 'across') + (x >> 2)
          const texel = word(DEVICE_LEVEL, level, 'blocks') + block * 16 + (y & 3) * 4 + (x & 3)
          expect(texels[texel]).toBe(words[y * width + x])
        }
        // The last level is one texel.
        const last = level + (word(DEVICE_TEXTURE, texture, 'levelCount') - 1) * DEVICE_LEVEL.words
        expect([word(DEVICE_LEVEL, last, 'width'), word(DEVICE_LEVEL, last, 'height')]).toEqual([1, 1])
        expect(word(DEVICE_LEVEL, last, 'blocks')).toBeLessThanOrEqual(texels.length - 16)
      })
    })
    expect(uses).toBeGreaterThan(20)
  })

  it('have what vertices have besides, by their numbers', () => {
    const memory = memoryOf(packed(mapped()))
    const { attributes, header: of } = new Reader(memory)
    for (const name of ['colors', 'uv', 'uv2', 'tangents'] as const) {
      expect(of(name) % 2).toBe(0)
      for (const vertex of [0, 17, header(memory, 'vertexCount') - 1])
        for (const half of [0, 1])
          expect(attributes[of(name) + 2 * vertex + half]).toBe(
            memory.words[header(memory, name) / 4 + 2 * vertex + half],
          )
    }
  })

  it('have lights, the tree over them, and the environment map', () => {
    const scene = fullScene()
    const memory = memoryOf(packed(scene))
    const { made, texels, header: of, float, word } = new Reader(memory)
    expect(of('lightCount')).toBe(scene.lights.length + 1)
    const spot = of('lights') + 2 * DEVICE_LIGHT.words
    expect(float(DEVICE_LIGHT, spot, 'inner')).toBe(Math.fround(0.9))
    expect([0, 1, 2].map(k => float(DEVICE_LIGHT, spot, 'position', k))).toEqual([0, 5, 0])
    const [, near] = [0, 1].map(group => DEVICE_SCENE.wordOf('groups') + group * 4)
    const count = made.scene[near! + 1]!
    expect(count).toBeGreaterThan(2)
    const numbers = Array.from({ length: count }, (_, i) =>
      word(DEVICE_TREE_LIGHT, of('treeLights') + i * DEVICE_TREE_LIGHT.words, 'number'),
    )
    expect(new Set(numbers).size).toBe(count)
    const { environment } = scene
    if (environment.kind !== 'map') throw new Error('expected a map')
    const floats = new Float32Array(texels.buffer)
    expect([...floats.subarray(of('map'), of('map') + 6)]).toEqual([...environment.texels])
    for (const name of ['gridFacings', 'gridBlocks']) expect(of(name)).toBeGreaterThan(0)
  })

  it('have nothing at 0, which stands for what a scene has not', () => {
    const { made, header: of } = new Reader(memoryOf(mixedScene()))
    expect(made.texels).toEqual([])
    expect(made.attributes).toEqual([])
    for (const name of ['map', 'colors', 'uv', 'uv2', 'tangents', 'outers']) expect([name, of(name)]).toEqual([name, 0])
    expect(of('materials')).toBeGreaterThan(0)
    expect([...made.tables.subarray(0, UNUSED_WORDS)]).toEqual(Array.from({ length: UNUSED_WORDS }, () => 0))
  })
})

it('a section that a device cannot bind at once is refused in one sentence, and one that just fits is not', () => {
  const device = { limits: { maxStorageBufferBindingSize: 128 << 20, maxBufferSize: 256 << 20 } } as GpuDevice
  expect(() => expectRoom(device, { textures: 128 << 20, vertices: 0 }, 'do that')).not.toThrow()
  expect(() => expectRoom(device, { textures: (128 << 20) + 4 }, 'do that')).toThrow(
    /^expected at most 128 MiB of textures, which is what it binds at once, got 129 MiB; use a smaller scene, or else do that$/,
  )
})
