/** Functions of the kernel and what they are twins of in TypeScript: equal to the last bit. Compiled here, unoptimised. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main as compile } from 'assemblyscript/asc'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { accumulate } from '../../../../shared/light/accumulate.ts'
import { ToneMap } from '../../../../shared/light/tone-map.ts'
import { hash32 } from '../../../../shared/math/random.ts'
import { cosTurns, sinTurns } from '../../../../shared/math/trig.ts'
import { type TextureFacts, texelBytes, WRAPS } from '../../../../shared/scene/texture.ts'
import { skyRadiance } from '../../../../shared/sky.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { putHeader } from '../../../../worker/engine/wasm/records/access.ts'
import { SUM as SUM_RECORD } from '../../../../worker/engine/wasm/records/view.ts'
import { putTextures } from '../../../../worker/engine/wasm/textures.ts'
import { times } from '../../../support/nightly.ts'
import { ambientFirst, ambientSecond, hilbertIndex, sampleX, sampleY } from '../twins/sampling.ts'
import { fresnel, refractedCosine, schlick } from '../twins/scattering.ts'
import { levelOf, textureAt } from '../twins/texture.ts'

const kernel = fileURLToPath(new URL('../../../../../worker/engine/wasm/kernel/', import.meta.url))
/** Vectors do not pass the border to JavaScript: lanes come one by one, and what writes memory is given addresses. */
const ENTRY = `
  import { accumulate } from './surface/accumulate'
  import { placeWorkspace } from './surface/workspace'
  import { three } from './surface/math/floats'
  import * as sampling from './ambient/sampling'
  import * as hilbert from './surface/hilbert'
  import * as sky from './surface/sky'
  import { levelFor as levelOf, textureAt as colorAt } from './surface/texture'
  import { fillToneMap, writePixels } from './surface/tone-map'
  import * as trig from './surface/math/trig'
  import * as turns from './surface/math/turns'
  export { hash32 } from './surface/math/random'
  import * as fresnels from './surface/fresnel'
  export { refractedCosine } from './ambient/scattering/glass'
  export { accumulate, writePixels }
  export function fresnel(cosine: f64, far: f64, eta: f64): f64 { return fresnels.fresnel(cosine, far, eta) }
  export function schlick(cosine: f64, ior: f64): f64 { return fresnels.schlick(fresnels.normalReflectance(ior), cosine) }
  export function reflectance(cosine: f64, eta: f64): f64 { return fresnels.reflectance(cosine, eta) }
  export function reflectances(a: f64, b: f64, eta: f64, index: u32): f64 { return lane(fresnels.reflectances(pair(a, b), eta), index) }
  export function schlicks(a: f64, b: f64, ior: f64, index: u32): f64 { return lane(fresnels.schlicks(fresnels.normalReflectance(ior), pair(a, b)), index) }
  export function addSky(sum: u32, y: f32, red: f32, green: f32, blue: f32): void { sky.addSky(sum, y, three(red, green, blue)) }
  export function start(): void { placeWorkspace(65536); fillToneMap() }
  function lane(both: v128, index: u32): f64 { return index ? f64x2.extract_lane(both, 1) : f64x2.extract_lane(both, 0) }
  function pair(a: f64, b: f64): v128 { return f64x2.replace_lane(f64x2.splat(a), 1, b) }
  export function sinTurns(a: f64, b: f64, index: u32): f64 { return lane(trig.sinTurns(pair(a, b)), index) }
  export function cosTurns(a: f64, b: f64, index: u32): f64 { return lane(trig.cosTurns(pair(a, b)), index) }
  export function onCircle(turns: f64, index: u32): f64 { return lane(trig.onCircle(turns), index) }
  function put(out: u32, four: v128): void { v128.store(out, four) }
  export function ambientFirst(out: u32, at: u32, shift: u32): void { put(out, sampling.ambientFirst(at, shift)) }
  export function ambientSecond(out: u32, at: u32, shift: u32): void { put(out, sampling.ambientSecond(at, shift)) }
  export function textureAt(out: u32, texture: u32, level: u32, u: f32, v: f32): void { put(out, colorAt(texture, level, u, v)) }
  export function levelFor(texture: u32, area: f32): u32 { return levelOf(texture, area) }
  export function sines(out: u32): void { put(out, turns.sines(v128.load(out))) }
  export function cosines(out: u32): void { put(out, turns.cosines(v128.load(out))) }
  export function fillSamples(samples: u32): void { sampling.fillSamples(1024, samples) }
  export function hilbertIndex(x: u32, y: u32): u32 {
    hilbert.fillCurve(512)
    const place = (x & 1) | ((x & 2) << 1) | ((x & 4) << 2) | ((y & 1) << 1) | ((y & 2) << 2) | ((y & 4) << 3)
    return hilbert.hilbertIndex(512, hilbert.curveAtSquare(x, y), place)
  }
`

interface Twins {
  start(): void
  accumulate(sum: number, red: number, green: number, blue: number): void
  addSky(sum: number, y: number, red: number, green: number, blue: number): void
  writePixels(sum: number, mean: number, exposure: number, out: number): void
  hash32(a: number, b: number, c: number): number
  reflectance(cosine: number, eta: number): number
  reflectances(a: number, b: number, eta: number, index: number): number
  schlicks(a: number, b: number, ior: number, index: number): number
  schlick(cosine: number, ior: number): number
  refractedCosine(cosine: number, eta: number): number
  fresnel(cosine: number, far: number, eta: number): number
  sinTurns(a: number, b: number, lane: number): number
  cosTurns(a: number, b: number, lane: number): number
  onCircle(turns: number, lane: number): number
  ambientFirst(out: number, index: number, shift: number): void
  ambientSecond(out: number, index: number, shift: number): void
  textureAt(out: number, texture: number, level: number, u: number, v: number): void
  levelFor(texture: number, area: number): number
  sines(out: number): void
  cosines(out: number): void
  fillSamples(samples: number): void
  hilbertIndex(x: number, y: number): number
}

const memory = new WebAssembly.Memory({ initial: 64, maximum: 32768, shared: true })
const doubles = new Float64Array(memory.buffer)
const floats = new Float32Array(memory.buffer)
const bytes = new Uint8Array(memory.buffer)
/** Free places in the first page, which the kernel leaves to the scene. */
const [SUM, OUT, TEXTURES] = [40960, 49152, 32768]
let twins: Twins

beforeAll(async () => {
  let binary: Uint8Array | undefined
  const options =
    '--runtime stub --importMemory --sharedMemory --initialMemory 1 --maximumMemory 32768 --noExportMemory'
  const { error, stderr } = await compile(
    ['twins.ts', ...options.split(' '), '--enable', 'simd,threads', '--use', 'FAST_MATH=0', '--outFile', 'twins.wasm'],
    {
      readFile: name => (name === 'twins.ts' ? ENTRY : textOf(name)),
      writeFile: (_, contents) => {
        binary = contents as Uint8Array
      },
      listFiles: () => [],
    },
  )
  expect(`${error?.message ?? ''}${stderr.toString()}`).toBe('')
  const module = new WebAssembly.Module(binary as Uint8Array<ArrayBuffer>)
  twins = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Twins
  twins.start()
})

/** A source file of the kernel; the compiler asks for many that are not there, and must not find how the kernel itself is compiled. */
const textOf = (name: string): string | null => {
  const path = join(kernel, name)
  return name.endsWith('.ts') && existsSync(path) ? readFileSync(path, 'utf8') : null
}

const word = fc.nat({ max: 0xffffffff })
const fourAt = (address: number): number[] => [...floats.subarray(address >> 2, (address >> 2) + 4)]
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const check = <T extends [unknown, ...unknown[]]>(
  ...[arbitraries, same]: [{ [K in keyof T]: fc.Arbitrary<T[K]> }, (...values: T) => void]
) =>
  fc.assert(
    fc.property(fc.tuple(...arbitraries) as fc.Arbitrary<T>, values => same(...values)),
    { numRuns: times(1000) },
  )

describe('twins in the kernel', () => {
  it('hash the same', () => {
    check<[number, number, number]>([word, word, word], (a, b, c) => {
      expect(twins.hash32(a, b, c) >>> 0).toBe(hash32(a, b, c))
    })
  })

  it('turn the same', () => {
    const turns = fc.oneof(share, fc.constantFrom(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1 - 2 ** -32))
    check<[number, number]>([turns, turns], (a, b) => {
      expect([twins.sinTurns(a, b, 0), twins.sinTurns(a, b, 1)]).toEqual([sinTurns(a), sinTurns(b)])
      expect([twins.cosTurns(a, b, 0), twins.cosTurns(a, b, 1)]).toEqual([cosTurns(a), cosTurns(b)])
      expect([twins.onCircle(a, 0), twins.onCircle(a, 1)]).toEqual([cosTurns(a), sinTurns(a)])
    })
  })

  it('turn four at a time nearly the same', () => {
    check<[number, number]>([share, share], (a, b) => {
      const turns = [a, b, 1 - a, Math.abs(a - b)].map(Math.fround)
      for (const [four, one] of [[twins.sines, sinTurns] as const, [twins.cosines, cosTurns] as const]) {
        floats.set(turns, OUT >> 2)
        four(OUT)
        fourAt(OUT).forEach((got, i) => {
          expect(Math.abs(got - one(turns[i]! % 1))).toBeLessThan(2e-7)
        })
      }
    })
  })

  it('see the same textures', () => {
    const sides = fc.integer({ min: 1, max: 9 })
    const wraps = fc.constantFrom(...WRAPS)
    const facts = fc.record({
      width: sides,
      height: sides,
      wrapU: wraps,
      wrapV: wraps,
      srgb: fc.boolean(),
      nearest: fc.boolean(),
    })
    const edges = [0, -0, 1, -1, 2, 0.5, 1 - 2 ** -24, -(2 ** -30), 1e6, -1e6, 1e30, Infinity, NaN]
    const place = fc.oneof(fc.float({ min: -3, max: 3, noNaN: true }), fc.constantFrom(...edges))
    const kernelMemory = new KernelMemory(memory)
    check<[TextureFacts, number, number]>([facts, place, place], (texture, u, v) => {
      const texels = Uint8Array.from({ length: texelBytes(texture) }, (_, i) => (i * 97 + 13 * (i >> 3)) % 256)
      const whole = { ...texture, texels }
      putTextures(kernelMemory, [whole], TEXTURES)
      const levels = 32 - Math.clz32(Math.max(texture.width, texture.height))
      for (let level = 0; level < levels; level++) {
        twins.textureAt(OUT, TEXTURES, level, u, v)
        expect(fourAt(OUT)).toEqual(textureAt(levelOf(whole, level), u, v))
      }
    })
  })

  it('choose the same level of a texture', () => {
    const kernelMemory = new KernelMemory(memory)
    const whole = {
      width: 6,
      height: 9,
      wrapU: 'repeat',
      wrapV: 'clamp',
      srgb: true,
      nearest: false,
      texels: new Uint8Array(216),
    } as const
    putTextures(kernelMemory, [whole], TEXTURES)
    // Of 54 texels: level 1 from 4 on, level 2 from 16 on, level 3, of a single texel, from 64 on.
    for (const [area, level] of [
      [0, 0],
      [3.99 / 54, 0],
      [4.01 / 54, 1],
      [15.9 / 54, 1],
      [16.1 / 54, 2],
      [63 / 54, 2],
      [65 / 54, 3],
      [1e30, 3],
      [Infinity, 3],
      [NaN, 0],
    ] as const)
      expect(twins.levelFor(TEXTURES, area)).toBe(level)
  })

  it('deal out samples the same', () => {
    check<[number, number]>([fc.nat({ max: 65535 }), fc.nat({ max: 65535 })], (x, y) => {
      expect(twins.hilbertIndex(x, y) >>> 0).toBe(hilbertIndex(x, y))
    })
    check<[number, number]>([fc.nat({ max: 0x7fffffff }), word], (index, shift) => {
      twins.ambientFirst(OUT, index, shift)
      expect(fourAt(OUT)).toEqual([0, 1, 2, 3].map(lane => ambientFirst(index + lane, shift)))
      twins.ambientSecond(OUT, index, shift)
      expect(fourAt(OUT)).toEqual([0, 1, 2, 3].map(lane => ambientSecond(index + lane, shift)))
    })
    for (const samples of [1, 2, 3, 7, 64, 1000, 1024]) {
      twins.fillSamples(samples)
      for (let i = 0; i < samples; i++)
        expect([...doubles.subarray(128 + 2 * i, 130 + 2 * i)]).toEqual([sampleX(i, samples), sampleY(i, samples)])
    }
  })

  it('mirror the same share', () => {
    check<[number, number]>([share, fc.double({ min: 1, max: 4, noNaN: true })], (cosine, ior) => {
      expect(twins.schlick(cosine, ior)).toBe(schlick(cosine, ior))
      for (const eta of [ior, 1 / ior]) {
        const far = refractedCosine(cosine, eta)
        expect(twins.refractedCosine(cosine, eta)).toBe(far)
        expect(twins.fresnel(cosine, far, eta)).toBe(fresnel(cosine, far, eta))
      }
    })
  })

  it('mirror the same share of two directions at once', () => {
    const index = fc.double({ min: 0.5, max: 4, noNaN: true })
    check<[number, number, number]>([share, share, index], (a, b, ior) => {
      const both = [a, b]
      expect(both.map((_, i) => twins.reflectances(a, b, ior, i))).toEqual(
        both.map(cosine => twins.reflectance(cosine, ior)),
      )
      expect(both.map((_, i) => twins.schlicks(a, b, ior, i))).toEqual(both.map(cosine => schlick(cosine, ior)))
    })
  })

  it('see the same sky, but for the rounding of floats', () => {
    const sky = { zenith: [0.1, 0.4, 0.9], horizon: [0.7, 0.6, 1 / 3], ground: [0.2, 0.3, 0.25] } as const
    putHeader(new KernelMemory(memory), { skyZenith: sky.zenith, skyHorizon: sky.horizon, skyGround: sky.ground })
    check<[number, number, number]>(
      [fc.double({ min: -1, max: 1, noNaN: true }), share, share],
      (y, weight, before) => {
        doubles.fill(before, SUM >> 3, (SUM >> 3) + 3)
        twins.addSky(SUM, y, weight, weight / 2, weight / 3)
        for (const channel of [0, 1, 2] as const) {
          const light = (weight / (channel + 1)) * skyRadiance(sky, y, channel)
          expect(Math.abs(doubles[(SUM >> 3) + channel]! - accumulate(before, light))).toBeLessThan(2 ** -21)
        }
      },
    )
  })

  it('add up whatever comes the same', () => {
    const odd = [0, -0, -1, -1e-12, 2 ** -33, 3 * 2 ** -33, 2 ** 19, 2 ** 20, 1e300, Infinity, -Infinity, NaN]
    const light = fc.oneof(share, fc.constantFrom(...odd))
    check<[number, number, number]>([light, light, light], (a, b, c) => {
      doubles.fill(accumulate(0, a), SUM >> 3, (SUM >> 3) + 3)
      twins.accumulate(SUM, a, b, c)
      const sum = accumulate(0, a)
      expect([...doubles.subarray(SUM >> 3, (SUM >> 3) + 3)]).toEqual([a, b, c].map(x => accumulate(sum, x)))
    })
  })

  it('make the same bytes of light', () => {
    const looks = [1, 0.85, 1e-6, 1e6].map((exposure, i) => ({ exposure, mean: [1, 1024 / 100, 1024, 1024 / 3][i]! }))
    const maps = looks.map(look => ({ ...look, toneMap: new ToneMap(look) }))
    const expected = new Uint8Array(12)
    const light = fc.oneof(share, fc.double({ min: -1, max: 30, noNaN: true }), fc.constantFrom(0, 2 ** 20, NaN))
    const pixels = (...lights: number[]) => {
      for (let i = 0; i < 4; i++) doubles.set(lights.slice(3 * i, 3 * i + 3), (SUM + i * SUM_RECORD.bytes) >> 3)
      for (const { exposure, mean, toneMap } of maps) {
        twins.writePixels(SUM, mean, exposure, OUT)
        const means = lights.map(sum => sum * mean)
        for (let at = 0; at < 12; at += 3) toneMap.write(means[at]!, means[at + 1]!, means[at + 2]!, expected, at)
        if (!expected.every((byte, i) => byte === bytes[OUT + i]))
          expect([...bytes.subarray(OUT, OUT + 12)]).toEqual([...expected])
      }
    }
    check<[number, number, number, number]>([light, light, light, light], (a, b, c, d) =>
      pixels(a, b, c, d, b, a, c, c, d, a, a, b),
    )
    // All through the dark, where thresholds lie closest.
    for (let x = 0; x < 0.3; x += 1 / 65536) pixels(x, x, x, x + 1e-6, x, x, x, x + 2e-6, x, x, x, x + 3e-6)
  })
})
