/** EXR files and PNG files of 16 bits, read by other programs' readers. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { FloatType } from 'three'
import { EXRLoader } from 'three/examples/jsm/loaders/EXRLoader.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { exrFile } from '../../../scripts/film/exr-file.ts'
import { finishedFrames } from '../../../scripts/film/finished-frames.ts'
import { encodeFrame } from '../../../scripts/film/frame-files.ts'
import { beginFilm } from '../../../scripts/film/frame-list.ts'
import { FrameWriter } from '../../../scripts/film/frame-writer.ts'
import { type Manifest, resumedFilm } from '../../../scripts/film/manifest.ts'
import { endingsOf } from '../../../scripts/options/groups/output.ts'
import type { FramePlanes } from '../../../shared/frame/frame-planes.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { linearFromSrgb, srgbFromLinear } from '../../../shared/math/srgb.ts'
import { readExr as readLayers } from '../../support/read-exr.ts'

const size: Size = [37, 21]
const count = 37 * 21
/** Values that tell where they are, some of them large. */
const values = Float32Array.from({ length: count * 3 }, (_, i) => ((i % 11) - 2) * 1.37 ** (i % 29))

/** An EXR file's pixels, RGBA, as three.js reads them, with the top row first. */
function readExr(bytes: Uint8Array): { size: Size; rgba: Float32Array; keys: string[]; header: object } {
  const loader = new EXRLoader().setDataType(FloatType)
  const { width, height, data, header } = loader.parse(Uint8Array.from(bytes).buffer) as unknown as {
    width: number
    height: number
    data: Float32Array
    header: { channels: { name: string }[] }
  }
  // Its rows go up, as those of a texture.
  const rgba = new Float32Array(data.length)
  for (let row = 0; row < height; row++)
    rgba.set(data.subarray(row * width * 4, (row + 1) * width * 4), (height - 1 - row) * width * 4)
  return { size: [width, height], rgba, keys: header.channels.map(({ name }) => name), header }
}
const componentOf = (rgba: Float32Array, k: number) => rgba.filter((_, i) => i % 4 === k)

describe('an EXR file', () => {
  it('has every float as it was, the top row first, and alpha', async () => {
    const alpha = Float32Array.from({ length: count }, (_, i) => (i % 5) / 4)
    const read = readExr(exrFile(size, values, 'float', { alpha }))
    expect(read.size).toEqual(size)
    expect(read.keys.sort()).toEqual(['A', 'B', 'G', 'R'])
    for (let k = 0; k < 3; k++) expect(componentOf(read.rgba, k)).toEqual(values.filter((_, i) => i % 3 === k))
    expect(componentOf(read.rgba, 3)).toEqual(alpha)
  })

  it('has layers beside the picture, and words in its header', () => {
    const noisy = values.map(value => value + 1)
    const layers = { noisy: { values: noisy, channels: 'RGB', type: 'float' } } as const
    const bytes = exrFile(size, values, 'float', { layers, words: { denoiser: 'sortfirst' } })
    const { rgba, keys, header } = readExr(bytes)
    expect(keys).toEqual(['A', 'B', 'G', 'R', 'noisy.B', 'noisy.G', 'noisy.R'])
    expect(header).toHaveProperty('denoiser', 'sortfirst')
    for (let k = 0; k < 3; k++) expect(componentOf(rgba, k)).toEqual(values.filter((_, i) => i % 3 === k))
    const { channels, words } = readLayers(bytes)
    for (const [k, name] of ['R', 'G', 'B'].entries()) {
      expect(channels[name]).toEqual(values.filter((_, i) => i % 3 === k))
      expect(channels[`noisy.${name}`]).toEqual(noisy.filter((_, i) => i % 3 === k))
    }
    expect(words).toEqual({ denoiser: 'sortfirst' })
  })

  it('has layers of any type, in the order of their names', () => {
    const ids = Uint32Array.from({ length: count }, (_, i) => (i * 2654435761) >>> 0)
    const bytes = exrFile(size, values, 'half', {
      layers: {
        depth: { values, channels: 'Z', type: 'float' },
        aid: { values: ids, channels: 'X', type: 'uint' },
        normal: { values, channels: 'XYZ', type: 'half' },
        Z: { values, channels: 'ZYX', type: 'float' },
      },
    })
    const { channels, whole, types } = readLayers(bytes)
    expect(Object.entries(types).map(entry => entry.join(' '))).toEqual([
      ...['A half', 'B half', 'G half', 'R half', 'Z.X float', 'Z.Y float', 'Z.Z float', 'aid.X uint'],
      ...['depth.Z float', 'normal.X half', 'normal.Y half', 'normal.Z half'],
    ])
    expect(whole['aid.X']).toEqual(ids)
    expect(channels['depth.Z']).toEqual(values.slice(0, count))
    for (const [k, name] of ['Z', 'Y', 'X'].entries())
      expect(channels[`Z.${name}`]).toEqual(values.filter((_, i) => i % 3 === k))
    // Halves are those of three.js, whose reader was written by others than this file's.
    const { rgba } = readExr(exrFile(size, values, 'half'))
    for (const [k, name] of ['R', 'G', 'B'].entries()) {
      expect(channels[name]).toEqual(componentOf(rgba, k))
      expect(channels[`normal.${'XYZ'[k]}`]).toEqual(componentOf(rgba, k))
    }
  })

  it('repeats a single component, so that viewers show it grey', async () => {
    const depth = Float32Array.from({ length: count }, (_, i) => i / 7)
    const { rgba } = readExr(exrFile(size, depth, 'float'))
    for (let k = 0; k < 3; k++) expect(componentOf(rgba, k)).toEqual(depth)
    expect(new Set(componentOf(rgba, 3))).toEqual(new Set([1]))
  })

  it('may have half floats: eleven bits, and no more than fits', async () => {
    const { rgba } = readExr(exrFile(size, values, 'half'))
    for (const [i, value] of componentOf(rgba, 0).entries()) {
      const exact = Math.min(65504, values[i * 3]!)
      if (exact > -65504) expect(Math.abs(value - exact)).toBeLessThanOrEqual(Math.abs(exact) / 1024 + 1e-6)
    }
  })

  it('stores noise that cannot be compressed', async () => {
    let state = 1
    const noise = Float32Array.from({ length: count * 3 }, () => {
      state = (Math.imul(state, 747796405) + 1) | 0
      return new Float32Array(Int32Array.of((state & 0x3fffffff) | 0x20000000).buffer)[0]!
    })
    expect(componentOf(readExr(exrFile(size, noise, 'float')).rgba, 1)).toEqual(noise.filter((_, i) => i % 3 === 1))
  })
})

const planes: FramePlanes = {
  light: values.map(Math.abs),
  albedo: values.map(value => Math.abs(value) % 1),
  normal: values,
  position: values,
  depth: Float32Array.from({ length: count }, (_, i) => (i === 0 ? Number.POSITIVE_INFINITY : i)),
  id: Uint32Array.from({ length: count }, (_, i) => i * 5_000_000),
}
const look = { exposure: 0.5, toneMapping: 'linear' } as const

describe('the files of a frame', () => {
  it.each(['half', 'float'] as const)('say in %s files of light what was left out of it', async exrType => {
    const order = { outputs: ['exr'], aovs: ['depth'], exrLayers: false, exrType, size, look, planes } as const
    const plain = await encodeFrame(order)
    const { files } = await encodeFrame({ ...order, comments: 'no caustics' })
    const [light, depth] = files.map(([, bytes]) => bytes)
    expect(Buffer.from(light!).toString('latin1')).toContain('comments\0string\0\x0b\0\0\0no caustics')
    const { header, ...read } = readExr(light!)
    expect(header).toHaveProperty('comments', 'no caustics')
    expect(read).toEqual({ ...readExr(plain.files[0]![1]), header: undefined })
    // Other channels have all that there is.
    expect(depth).toEqual(plain.files[1]![1])
  })

  it('are linear light before exposure, and depths with Blender’s number for nothing', async () => {
    const aovs = ['depth', 'id', 'normal'] as const
    const order = { outputs: ['exr'], aovs, exrLayers: false, exrType: 'half', size, look, planes } as const
    const { files, rgb16 } = await encodeFrame(order)
    expect(rgb16).toBeUndefined()
    const read = new Map(files.map(([ending, bytes]) => [ending, readExr(bytes).rgba]))
    expect([...read.keys()].sort()).toEqual(['depth.exr', 'exr', 'id.exr', 'normal.exr'])
    expect(componentOf(read.get('depth.exr')!, 0).slice(0, 3)).toEqual(Float32Array.of(1e10, 1, 2))
    // Not halves, whatever was asked for.
    expect(componentOf(read.get('id.exr')!, 0)).toEqual(Float32Array.from(planes.id!))
  })

  it('may be one: the picture and all channels, named layers with values as they need them', () => {
    const noisy = values.map(value => Math.abs(value) / 2)
    const samples = Float32Array.from({ length: count }, (_, i) => i + 1)
    const all = { ...planes, mappedNormal: values, noisy, samples }
    const aovs = ['albedo', 'normal', 'mappedNormal', 'depth', 'position', 'id', 'samples'] as const
    const alpha = Float32Array.from({ length: count }, (_, i) => (i % 5) / 4)
    const order = { outputs: ['exr'], aovs, exrLayers: true, size, look, planes: { ...all, alpha } } as const
    const { files } = encodeFrame({ ...order, exrType: 'half', denoise: 'on', comments: 'no caustics' })
    expect(files.map(([ending]) => ending)).toEqual(['exr'])
    const { channels, whole, types, words } = readLayers(files[0]![1])
    expect(words).toEqual({ denoiser: 'sortfirst', comments: 'no caustics' })
    const named = (layer: string, letters: string, type: string) =>
      [...letters].map(letter => [layer ? `${layer}.${letter}` : letter, type])
    expect(types).toEqual(
      Object.fromEntries([
        ...named('', 'RGBA', 'half'),
        ...['noisy', 'albedo'].flatMap(layer => named(layer, 'RGB', 'half')),
        ...['normal', 'mappedNormal'].flatMap(layer => named(layer, 'XYZ', 'half')),
        ...named('position', 'XYZ', 'float'),
        ...named('depth', 'Z', 'float'),
        ...named('id', 'X', 'uint'),
        ...named('samples', 'X', 'float'),
      ]),
    )
    // Above 2^24, where floats would not do.
    expect(whole['id.X']).toEqual(planes.id)
    expect(channels['samples.X']).toEqual(samples)
    expect(channels['depth.Z']).toEqual(planes.depth!.map(depth => Math.min(1e10, depth)))
    for (const [k, axis] of ['X', 'Y', 'Z'].entries())
      expect(channels[`position.${axis}`]).toEqual(planes.position!.filter((_, i) => i % 3 === k))
    // Others are what files of their own have.
    const apart = encodeFrame({ ...order, aovs: ['albedo', 'normal'], exrLayers: false, exrType: 'half' })
    const [, albedo, normal] = apart.files.map(([, bytes]) => readExr(bytes).rgba)
    for (const [k, name] of ['R', 'G', 'B'].entries())
      expect(channels[`albedo.${name}`]).toEqual(componentOf(albedo!, k))
    for (const [k, axis] of ['X', 'Y', 'Z'].entries())
      expect(channels[`normal.${axis}`]).toEqual(componentOf(normal!, k))
    // Programs that know no layers see the picture.
    const seen = readLayers(encodeFrame({ ...order, aovs: [], exrType: 'half' }).files[0]![1]).channels
    for (const name of 'RGBA') expect(channels[name]).toEqual(seen[name])
    const { types: floats } = readLayers(encodeFrame({ ...order, exrType: 'float' }).files[0]![1])
    expect(floats).toMatchObject({ R: 'float', 'normal.X': 'float', 'id.X': 'uint', 'depth.Z': 'float' })
  })

  it('have sixteen bits of finished colour, without what is transparent', async () => {
    const alpha = Float32Array.from({ length: count }, (_, i) => (i % 3) / 2)
    const order = { outputs: ['png16'], aovs: [], exrLayers: false, exrType: 'float', size, look } as const
    const { rgb16 } = await encodeFrame({ ...order, planes: { ...planes, alpha } })
    for (let i = 0; i < count; i++) {
      const light = alpha[i] === 0 ? 0 : Math.min(1, (planes.light![i * 3]! / alpha[i]!) * 0.5)
      const srgb = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
      expect(Math.abs(rgb16![i * 4]! - 65535 * srgb)).toBeLessThanOrEqual(0.51)
      expect(rgb16![i * 4 + 3]).toBe(Math.round(alpha[i]! * 65535))
    }
  })
})

it('sRGB of light is what light of sRGB undoes', () => {
  for (let s = 0; s <= 1; s += 1 / 4096) expect(srgbFromLinear(linearFromSrgb(s))).toBeCloseTo(s, 7)
  expect([srgbFromLinear(-1), srgbFromLinear(7), srgbFromLinear(Number.NaN)]).toEqual([0, 1, 0])
})

describe('the writer of frames', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  /** Without the lock of the run. */
  const filesIn = (folder: string) =>
    readdirSync(folder)
      .filter(name => !name.startsWith('.run-'))
      .sort()
  const all = {
    outputs: ['png', 'png16', 'exr', 'webp'],
    aovs: ['depth', 'id'],
    exrLayers: false,
    exrType: 'float',
  } as const
  const film: Manifest = {
    version: 1,
    scene: { name: 'tent', sha256: 'ab'.repeat(32) },
    size,
    denoise: 'off',
    noise: null,
    quality: { samples: 2, ambientRays: 1, maxDepth: 2 },
    camera: 'orbit',
    fps: null,
    shutter: null,
    exposure: 1,
    engine: 'wasm',
    toneMapping: 'aces',
    transparent: true,
    files: endingsOf(all),
    exrType: 'float',
    layers: null,
  }

  it('writes all files of a frame, whole; one without all of them is not finished', () =>
    withOutputFolder(folder, async out => {
      const writer = new FrameWriter(out, () => beginFilm(out, film), { ...all, transparent: true, look })
      const alpha = new Float32Array(count).fill(0.5)
      await writer.during(new AbortController().signal, async () => {
        for (const frame of [0, 1]) {
          const pixels = new Uint8Array(count * 3).fill(99)
          await writer.write(frame, size, pixels, { ...planes, alpha })
        }
      })
      expect(writer.written).toBe(2)
      const endings = ['16.png', 'depth.exr', 'exr', 'id.exr', 'png', 'webp']
      expect(filesIn(folder)).toEqual([
        ...endings.map(ending => `0000.${ending}`),
        ...endings.map(ending => `0001.${ending}`),
        'render.json',
      ])
      expect(await sharp(join(folder, '0001.16.png')).metadata()).toMatchObject({ depth: 'ushort', channels: 4 })
      for (const name of ['0000.png', '0000.webp']) {
        const { data } = await sharp(join(folder, name)).raw().toBuffer({ resolveWithObject: true })
        expect([...data.subarray(0, 4)]).toEqual([99, 99, 99, 128])
      }
      expect(readExr(readFileSync(join(folder, '0000.exr'))).rgba[3]).toBe(0.5)
      rmSync(join(folder, '0001.id.exr'))
      const { frames } = await finishedFrames(folder, (await resumedFilm(folder, film))!, { firstFrame: 0, frames: 5 })
      expect([...frames]).toEqual([0])
      expect(statSync(join(folder, '0001.png')).size).toBeGreaterThan(0)
    }))

  it('ends when a frame lacks what its files need', () =>
    withOutputFolder(folder, async out => {
      const writer = new FrameWriter(out, undefined, { ...all, transparent: false, look })
      const rendering = writer.during(new AbortController().signal, async () => {
        await writer.write(0, size, new Uint8Array(count * 3), {})
      })
      await expect(rendering).rejects.toMatchObject({ code: 'THREAD_FAILED' })
      expect(filesIn(folder)).toEqual([])
    }))
})
