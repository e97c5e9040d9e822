import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnknownNameError } from '../../shared/errors.ts'
import { forEachRun, type PixelPattern, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { frameRect, type Rect, type Size } from '../../shared/frame/rect.ts'
import { toMeans } from '../../shared/frame/sample-layout.ts'
import { allSamples, type SampleRange, type View } from '../../shared/frame/view.ts'
import { joinSums } from '../../shared/light/accumulate.ts'
import { sumScale } from '../../shared/light/sum-scale.ts'
import { ToneMap } from '../../shared/light/tone-map.ts'
import { bakedScene } from '../../shared/scene/ambient-look.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import type { PixelBuffers } from '../../worker/engine/engine.ts'
import { engineByName, engineFingerprints, engineList, engineNames } from '../../worker/node/engines.ts'
import { withSun } from '../support/described.ts'
import { partitionOf } from '../support/partition.ts'
import { pixelSetOf } from '../support/pixel-sets.ts'
import { buildHere, traceSet, traceTile, usableEngines } from '../worker/support/engines.ts'
import { viewOf as ambientView, mixedScene } from '../worker/support/meshes.ts'

const scene = mixedScene()

const PATTERNS: readonly PixelPattern[] = [
  { kind: 'strided', cellW: 1, cellH: 1, columns: 83, stride: 7, phase: 3 },
  { kind: 'strided', cellW: 83, cellH: 1, columns: 1, stride: 3, phase: 1 },
  { kind: 'strided', cellW: 16, cellH: 16, columns: 6, stride: 2, phase: 1 },
  { kind: 'cells', cellW: 12, cellH: 10, columns: 7, cells: [1, 3, 7, 9, 10, 17] },
  { kind: 'lattice', stepX: 8, stepY: 8, dx: 4, dy: 4 },
  { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 },
]

/** The pixels of a set out of those of the whole frame. */
function pickedOf(whole: Uint8Array, [w]: Size, set: PixelSet): Uint8Array {
  const picked: number[] = []
  forEachRun(set, (x, y, length) => picked.push(...whole.subarray((y * w + x) * 3, (y * w + x + length) * 3)))
  return Uint8Array.from(picked)
}

/** Colour of sums of light. */
function finished(view: View, light: Float64Array): Uint8Array {
  const rgb = new Uint8Array(light.length)
  const means = light.slice()
  toMeans(view.quality, means)
  new ToneMap(view, sumScale(view)).finish(means, rgb)
  return rgb
}

describe('the registry of engines', () => {
  it('finds each by its name, or says why it cannot be used here', () => {
    expect(engineList().map(({ name }) => name)).toEqual(engineNames)
    for (const { name, unavailable } of engineList()) {
      if (unavailable === undefined) expect(engineByName(name).name).toBe(name)
      else expect(() => engineByName(name)).toThrow(`engine '${name}' cannot be used here: ${unavailable}`)
    }
  })

  it('says what there is instead of an unknown one', () => {
    expect(() => engineByName('refrence')).toThrow(UnknownNameError)
    expect(() => engineByName('refrence')).toThrow("did you mean 'reference'")
  })
})

const CASES = usableEngines.flatMap(name => [
  { name, integrator: 'ambient', bounces: undefined },
  { name, integrator: 'path', bounces: 5 },
])

describe.each(CASES)('the engine $name with the integrator $integrator', ({ name, bounces }) => {
  /** For the integrator. */
  const viewOf = (size: Size, change: Partial<View> = {}): View => {
    const view = ambientView(size, change)
    return bounces === undefined ? view : { ...view, quality: { ...view.quality, bounces } }
  }
  const engine = engineByName(name)
  const built = buildHere(engine, scene, 2)
  const tracer = engine.open(built, 0)
  const trace = (view: View, rect: Rect) => traceTile(tracer, view, rect)

  it('makes the same frame of any partition, byte for byte', () => {
    const size: Size = [41, 29]
    const view = viewOf(size, { frame: 3 })
    const whole = trace(view, frameRect(size))
    expect(new Set(whole).size).toBeGreaterThan(50)
    fc.assert(
      fc.property(partitionOf(size, 12), rects => {
        const joined = new Uint8Array(whole.length)
        for (const rect of rects) {
          const pixels = trace(view, rect)
          for (let row = 0; row < rect.h; row++) {
            const at = ((rect.y + row) * size[0] + rect.x) * 3
            joined.set(pixels.subarray(row * rect.w * 3, (row + 1) * rect.w * 3), at)
          }
        }
        expect(Buffer.compare(joined, whole)).toBe(0)
      }),
      { numRuns: 15 },
    )
  })

  it('makes the same pixels of the frame, whichever set of them it is asked for', () => {
    const size: Size = [83, 45]
    const view = viewOf(size, { frame: 3 })
    const whole = trace(view, frameRect(size))
    fc.assert(
      fc.property(
        pixelSetOf(size),
        set => Buffer.compare(traceSet(tracer, view, set), pickedOf(whole, size, set)) === 0,
      ),
      { numRuns: 40 },
    )
  })

  it('makes a frame of the phases of a strided pattern', () => {
    const size: Size = [83, 45]
    const view = viewOf(size, { frame: 3 })
    const whole = trace(view, frameRect(size))
    const joined = new Uint8Array(whole.length)
    for (let phase = 0; phase < 7; phase++) {
      const pattern = { kind: 'strided', cellW: 1, cellH: 1, columns: 83, stride: 7, phase } as const
      const set = { rect: frameRect(size), pattern }
      const packed = traceSet(tracer, view, set)
      let at = 0
      forEachRun(set, (x, y, length) => {
        joined.set(packed.subarray(at, at + length * 3), (y * size[0] + x) * 3)
        at += length * 3
      })
    }
    expect(Buffer.compare(joined, whole)).toBe(0)
  })

  it('opens as often as there are threads, over the same scene', () => {
    const view = viewOf([16, 8])
    const other = engine.open(built, 1)
    expect(traceTile(other, view, frameRect([16, 8]))).toEqual(trace(view, frameRect([16, 8])))
  })

  it.each([undefined, ...PATTERNS])('tells steps and depth of %j, and makes the same pixels', pattern => {
    const view = viewOf([40, 24])
    const set: PixelSet = { rect: { x: 3, y: 0, w: 37, h: 23 }, ...(pattern ? { pattern } : {}) }
    const pixels = pixelCount(set)
    const rgb = new Uint8Array(pixels * 3)
    const steps = new Uint32Array(pixels)
    const depth = new Float32Array(pixels).fill(-1)
    tracer.trace(view, set, allSamples(view), { rgb, steps, depth })
    expect(Buffer.compare(rgb, traceSet(tracer, view, set))).toBe(0)
    expect(Math.min(...steps)).toBeGreaterThan(0)
    // Sky and things, these between the nearest ball and the horizon.
    const met = [...depth].filter(Number.isFinite)
    if (pixels > 200) expect(met.length).toBeLessThan(pixels)
    expect(met.length).toBeGreaterThan(pixels / 3)
    expect(Math.min(...met)).toBeGreaterThan(2)
    expect(Math.max(...met)).toBeLessThan(20)
  })

  it.each([undefined, PATTERNS[5]])(
    'leaves out the rest of %j when it is stopped, in portions of some milliseconds',
    pattern => {
      const view = viewOf([64, 40], { quality: { samples: 64, ambientRays: 14, maxDepth: 2 } })
      const set: PixelSet = { rect: frameRect([64, 40]), ...(pattern ? { pattern } : {}) }
      const traced = (portions: number) => {
        let asked = 0
        const depth = new Float32Array(pixelCount(set)).fill(-1)
        const out = { rgb: new Uint8Array(pixelCount(set) * 3), depth }
        tracer.trace(view, set, allSamples(view), out, () => asked++ < portions)
        return depth.filter(value => value !== -1).length
      }
      expect(traced(0)).toBe(0)
      const portion = traced(1)
      expect(portion).toBeGreaterThan(0)
      // A pixel takes a thousand rays.
      expect(portion).toBeLessThanOrEqual(64)
      expect(traced(3)).toBe(3 * portion)
    },
  )

  it.each([
    ['rgb', undefined],
    ['light', PATTERNS[5]],
  ] as const)('traces the many samples of a few pixels in portions, too, and makes the same %s', (color, pattern) => {
    const samples = bounces === undefined ? 1024 : 8192
    const view = viewOf([16, 8], { quality: { samples, ambientRays: 64, maxDepth: 2 } })
    const set: PixelSet = { rect: { x: 3, y: 2, w: 8, h: 4 }, ...(pattern ? { pattern } : {}) }
    const pixels = pixelCount(set)
    const room = () => ({
      light: new Float64Array(pixels * 3),
      albedo: new Float64Array(pixels * 3),
      alpha: new Uint16Array(pixels),
      steps: new Uint32Array(pixels),
      depth: new Float32Array(pixels),
    })
    const { light, ...others } = room()
    const rgb = new Uint8Array(pixels * 3)
    const whole = { ...others, ...(color === 'rgb' ? { rgb } : { light }) }
    const shares: number[] = []
    tracer.trace(view, set, allSamples(view), whole, done => shares.push(done) > 0)
    expect(shares.length).toBeGreaterThan(2)
    expect(shares[0]).toBe(0)
    expect(shares.at(-1)).toBeLessThan(1)
    for (const [i, share] of shares.entries()) if (i > 0) expect(share).toBeGreaterThan(shares[i - 1]!)

    const sums = room()
    const few = samples / 16
    for (let from = 0; from < samples; from += few) {
      const part = room()
      tracer.trace(view, set, { from, to: from + few }, part)
      joinSums(sums.light, part.light)
      joinSums(sums.albedo, part.albedo)
      for (let i = 0; i < pixels; i++) sums.alpha[i]! += part.alpha[i]!
      for (let i = 0; i < pixels; i++) sums.steps[i]! += part.steps[i]!
      if (from === 0) sums.depth.set(part.depth)
    }
    for (const name of ['albedo', 'alpha', 'depth'] as const) expect(whole[name]).toEqual(sums[name])
    if (color === 'rgb') expect(Buffer.compare(rgb, finished(view, sums.light))).toBe(0)
    else expect(light).toEqual(sums.light)
    // How long a ray takes depends a little on the rays beside it.
    const total = (steps: Uint32Array) => steps.reduce((sum, each) => sum + each, 0)
    expect(total(whole.steps) / total(sums.steps)).toBeCloseTo(1, 1)

    // Stopped in the midst of its samples, a block leaves nothing.
    const stopped = room()
    tracer.trace(view, set, allSamples(view), stopped, done => done === 0)
    expect(stopped.light.every(sum => sum === 0)).toBe(true)
  })

  it('names its arithmetic', () => {
    expect(engine.fingerprint).toMatch(/^[\w-]{3,64}$/)
    expect(engineFingerprints(engineNames)[name]).toBe(engine.fingerprint)
  })

  describe('in passes', () => {
    const size: Size = [23, 17]
    const quality = { samples: 5, ambientRays: 3, maxDepth: 4 }
    const view = viewOf(size, { frame: 2, quality })
    /** Ordinary light, and more than a sum can hold. */
    const bright = bakedScene(packScene(withSun(readPackedScene(scene.bytes), [3e11, 3e11, 3e11])))
    const tracers = [tracer, engine.open(buildHere(engine, bright), 0)]
    const sumsOf = (view: View, set: PixelSet, samples: SampleRange, tracer = tracers[0]!) => {
      const pixels = pixelCount(set)
      const made = { light: new Float64Array(pixels * 3), depth: new Float32Array(pixels) }
      tracer.trace(view, set, samples, made)
      return made
    }
    const frame = { rect: frameRect(size) }
    const wholes = tracers.map(tracer => sumsOf(view, frame, allSamples(view), tracer).light)

    it('makes finished colour of the sums of all samples', () => {
      expect(wholes[1]!.some(sum => sum === 2 ** 20)).toBe(true)
      for (const [i, tracer] of tracers.entries()) {
        expect(Buffer.compare(finished(view, wholes[i]!), traceTile(tracer, view, frame.rect))).toBe(0)
        expect(wholes[i]!.every(sum => sum >= 0 && (sum * 2 ** 32) % 1 === 0)).toBe(true)
      }
    })

    it('makes the same sums of any partition of samples and pixels, in any order, bit for bit', () => {
      const cut = fc.subarray([1, 2, 3, 4]).map(inner => [0, ...inner, 5])
      const tiles = partitionOf(size, 5).chain(rects =>
        fc.tuple(fc.constant(rects), fc.array(cut, { minLength: rects.length, maxLength: rects.length })),
      )
      const passes = tiles
        .map(([rects, cuts]) =>
          rects.flatMap((rect, i) => cuts[i]!.slice(1).map((to, k) => ({ rect, samples: { from: cuts[i]![k]!, to } }))),
        )
        .chain(parts => fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length }))
      fc.assert(
        fc.property(fc.constantFrom(0, 1), passes, (which, parts) => {
          const sums = new Float64Array(size[0] * size[1] * 3)
          for (const { rect, samples } of parts) {
            const { light } = sumsOf(view, { rect }, samples, tracers[which]!)
            for (let row = 0; row < rect.h; row++) {
              const at = ((rect.y + row) * size[0] + rect.x) * 3
              joinSums(sums.subarray(at, at + rect.w * 3), light.subarray(row * rect.w * 3, (row + 1) * rect.w * 3))
            }
          }
          expect(Buffer.compare(new Uint8Array(sums.buffer), new Uint8Array(wholes[which]!.buffer))).toBe(0)
        }),
        { numRuns: 30 },
      )
    })

    it.each(PATTERNS)('adds up the pixels of %j', pattern => {
      const set = { rect: { x: 2, y: 1, w: 20, h: 15 }, pattern }
      const sums = sumsOf(view, set, { from: 2, to: 5 }).light
      joinSums(sums, sumsOf(view, set, { from: 0, to: 2 }).light)
      expect(sums).toEqual(sumsOf(view, set, allSamples(view)).light)
    })

    it('tells the depth that the first sample of a pass met', () => {
      const [first, last] = [0, 4].map(from => sumsOf(view, frame, { from, to: from + 1 }).depth)
      expect(first).not.toEqual(last)
      expect(sumsOf(view, frame, { from: 0, to: 3 }).depth).toEqual(first)
      expect(sumsOf(view, frame, { from: 4, to: 5 }).depth).toEqual(last)
    })

    it.each([
      [{ from: 0, to: 6 }, 'expected samples within 0 to 5, got 0 to 6'],
      [{ from: 2, to: 2 }, 'got 2 to 2'],
      [{ from: -1, to: 2 }, 'got -1 to 2'],
      [{ from: 0.5, to: 2 }, 'got 0.5 to 2'],
    ])('refuses samples %j', (samples, words) => {
      expect(() => sumsOf(view, frame, samples)).toThrow(words)
    })

    it('refuses finished colour of some samples, of none, and both kinds of light at once', () => {
      const set = { rect: frameRect([2, 2]) }
      const [rgb, light] = [new Uint8Array(12), new Float64Array(12)]
      const ask = (out: PixelBuffers, to: number) => () => tracer.trace(view, set, { from: 0, to }, out)
      expect(ask({ rgb }, 4)).toThrow('expected all 5 samples for finished colour, got 0 to 4')
      expect(ask({}, 5)).toThrow('for finished colour or for sums of light')
      expect(ask({ rgb, light }, 5)).toThrow('for finished colour or for sums of light')
    })
  })

  it('gives frames noise of their own, and changes nothing else', () => {
    const [first, second] = [0, 1].map(frame => trace(viewOf([24, 16], { frame }), frameRect([24, 16])))
    expect(first).not.toEqual(second)
    const mean = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length
    expect(Math.abs(mean(first!) - mean(second!))).toBeLessThan(2)
  })

  it('comes nearer to the truth with more samples', () => {
    const size: Size = [24, 16]
    const at = (samples: number, ambientRays: number) =>
      trace(viewOf(size, { quality: { samples, ambientRays, maxDepth: 4 } }), frameRect(size))
    const truth = at(256, 4)
    const error = (pixels: Uint8Array) => pixels.reduce((sum, byte, i) => sum + (byte - truth[i]!) ** 2, 0)
    const [few, more, many] = [at(1, 1), at(8, 2), at(64, 4)].map(error)
    expect(more!).toBeLessThan(few! / 3)
    expect(many!).toBeLessThan(more! / 2)
  })

  it('refuses a buffer of the wrong size', () => {
    const rgb = new Uint8Array(48)
    for (const [wrong, words] of [
      [{ rgb: new Uint8Array(47) }, 'expected 48 components'],
      [{ rgb, steps: new Uint32Array(15) }, 'steps of 16 pixels'],
      [{ rgb, depth: new Float32Array(17) }, 'depths of 16 pixels'],
    ] as const)
      expect(() => tracer.trace(viewOf([4, 4]), { rect: frameRect([4, 4]) }, { from: 0, to: 2 }, wrong)).toThrow(words)
  })
})
