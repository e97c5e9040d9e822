/** The path tracer's numbers: equal to a twin in plain TypeScript, well spread, and independent from pair to pair. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantiate } from '../../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../../worker/engine/wasm/memory.ts'
import { DRAWN } from '../../../../../worker/engine/wasm/records/rays.ts'
import { kernelModule } from '../builder-harness.ts'

const PAIRS = 4
const OUT = 32768
const memory = KernelMemory.of(65536)
const kernel = instantiate(kernelModule, memory.memory)

/** Pairs of numbers, one after the other, of a sample, or of one of the three behind it. */
function draw(seed: number, set: number, sample: number, after = 0): number[] {
  kernel.probeSampler(OUT, seed, set, sample)
  const at = (OUT + after * DRAWN.bytes) >> 3
  return [...memory.doubles.subarray(at, at + 2 * PAIRS)]
}

/** The same after the published descriptions: the Sobol sequence by its generator matrices, scrambling bit by bit. */
function twin(seed: number, set: number, sample: number): number[] {
  return Array.from({ length: PAIRS }, (_, pair) => {
    const own = (seed + Math.imul(set * PAIRS + pair, 0x9e3779b9)) >>> 0
    const index = reversed(laineKarras(reversed(sample), mix(own)))
    return [
      unit(reversed(laineKarras(reversed(sobol(index, 0)), mix(own ^ 0x51633e2d)))),
      unit(reversed(laineKarras(reversed(sobol(index, 1)), mix(own ^ 0x68bc21eb)))),
    ]
  }).flat()
}

const unit = (bits: number): number => (bits >>> 0) / 2 ** 32

function reversed(bits: number): number {
  let result = 0
  for (let i = 0; i < 32; i++) result |= ((bits >>> i) & 1) << (31 - i)
  return result >>> 0
}

/** Dimension 0 or 1: direction numbers of van der Corput, or by the primitive polynomial x + 1 (Joe and Kuo 2008). */
function sobol(index: number, dimension: 0 | 1): number {
  let result = 0
  let direction = 0x80000000
  for (let bit = 0; bit < 32; bit++) {
    if ((index >>> bit) & 1) result ^= direction
    direction = dimension === 0 ? direction >>> 1 : (direction ^ (direction >>> 1)) >>> 0
  }
  return result >>> 0
}

function laineKarras(bits: number, seed: number): number {
  let x = bits ^ Math.imul(bits, 0x3d20adea)
  x = (x + seed) | 0
  x = Math.imul(x, (seed >>> 16) | 1)
  x ^= Math.imul(x, 0x05526c56)
  return (x ^ Math.imul(x, 0x53a22864)) >>> 0
}

function mix(bits: number): number {
  let x = bits ^ (bits >>> 16)
  x = Math.imul(x, 0x21f0aaad)
  x ^= x >>> 15
  x = Math.imul(x, 0x735a2d97)
  return (x ^ (x >>> 15)) >>> 0
}

const word = fc.integer({ min: 0, max: 0xffffffff })

describe('numbers of a pixel', () => {
  it('are stretches of the sequences of its patch, in Morton order', () => {
    const first = (x: number, y: number, bits: number) => kernel.probeFirst(x, y, bits)
    expect([first(0, 0, 3), first(1, 0, 3), first(0, 1, 3), first(1, 1, 3)]).toEqual([0, 8, 16, 24])
    const stretches = new Set<number>()
    for (let y = 0; y < 64; y++) for (let x = 0; x < 64; x++) stretches.add(first(128 + x, 64 + y, 14) >>> 14)
    expect(stretches.size).toBe(4096)
    expect(Math.max(...stretches)).toBe(4095)
  })

  it('have a seed that patches and frames do not share', () => {
    expect(kernel.probeSeed(63, 63, 5)).toBe(kernel.probeSeed(0, 0, 5))
    const seeds = new Set<number>()
    for (let y = 0; y < 20; y++)
      for (let x = 0; x < 20; x++)
        for (let frame = 0; frame < 20; frame++) seeds.add(kernel.probeSeed(x * 64, y * 64, frame))
    expect(seeds.size).toBe(8000)
  })
})

describe('numbers of a sample', () => {
  it('are those of the twin', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 1100 }), word, (seed, set, sample) => {
        for (let after = 0; after < 4; after++)
          expect(draw(seed, set, sample, after)).toEqual(twin(seed, set, (sample + after) >>> 0))
      }),
    )
  })

  it('fill every elementary interval of every power of two once', () => {
    const BITS = 6
    const count = 1 << BITS
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 1000 }), (seed, set, block) => {
        const samples = Array.from({ length: count }, (_, i) => draw(seed, set, block * count + i))
        for (let pair = 0; pair < PAIRS; pair++)
          for (let across = 0; across <= BITS; across++) {
            const cells = samples.map(numbers => {
              const x = Math.floor(numbers[2 * pair]! * (1 << across))
              const y = Math.floor(numbers[2 * pair + 1]! * (1 << (BITS - across)))
              return x * (1 << (BITS - across)) + y
            })
            expect(new Set(cells).size).toBe(count)
          }
      }),
      { numRuns: 20 },
    )
  })

  it('are independent from pair to pair and from set to set', () => {
    const count = 4096
    const near = (other: (seed: number, i: number) => [number, number]): number => {
      let found = 0
      for (let seed = 0; seed < 8; seed++)
        for (let i = 0; i < count; i++) {
          const [a, b] = other(seed * 7919, i)
          if (Math.abs(a - b) < 0.1) found++
        }
      return found / (8 * count)
    }
    // P(|a − b| < 0.1) of independent numbers is 0.19.
    expect(near((seed, i) => [draw(seed, 1, i)[0]!, draw(seed, 1, i)[2]!])).toBeCloseTo(0.19, 2)
    expect(near((seed, i) => [draw(seed, 1, i)[4]!, draw(seed, 2, i)[4]!])).toBeCloseTo(0.19, 2)
    expect(near((seed, i) => [draw(seed, 1, i)[5]!, draw(seed + 1, 1, i)[5]!])).toBeCloseTo(0.19, 2)
  })

  it('integrate better than random ones do: the error falls faster than with the root of their number', () => {
    // A disc: its edge is what the pixels of a picture see.
    const error = (count: number): number => {
      let squares = 0
      const SEEDS = 64
      for (let seed = 0; seed < SEEDS; seed++) {
        let inside = 0
        for (let i = 0; i < count; i++) {
          const [x, y] = draw(seed * 104729, 3, i) as [number, number]
          if (x * x + y * y < 1) inside++
        }
        squares += (inside / count - Math.PI / 4) ** 2
      }
      return Math.sqrt(squares / SEEDS)
    }
    const slope = Math.log2(error(1024) / error(16)) / Math.log2(1024 / 16)
    expect(slope).toBeLessThan(-0.65)
    const random = Math.sqrt(((Math.PI / 4) * (1 - Math.PI / 4)) / 1024)
    expect(error(1024)).toBeLessThan(random / 3)
  })
})
