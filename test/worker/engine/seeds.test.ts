/** Pictures of two seeds are independent: their noise has nothing in common. Frames of one pattern have the same. */
import { describe, expect, it } from 'vitest'
import type { Quality } from '../../../shared/frame/view.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { usableEngines } from '../support/engines.ts'
import { type Stack, seenBy } from '../support/stacked.ts'

const QUALITY: Quality = { samples: 4, ambientRays: 0, maxDepth: 0, bounces: 1 }
/** A floor in the light of a small lamp. */
const LIT: Stack = {
  layers: [
    { z: 0, material: { color: [0.8, 0.8, 0.8] } },
    { z: 3, material: { emission: [20, 20, 20] }, half: 0.4, turned: true },
  ],
}
const SIDE = 32

describe.each(usableEngines)('with the engine %s', name => {
  const lightOf = (quality: Quality, frame = 0) => seenBy(name, LIT, quality, SIDE, frame).light

  it('pictures of two seeds are independent', () => {
    const truth = lightOf({ ...QUALITY, samples: 1024 })
    const noiseOf = (seed: number) => lightOf({ ...QUALITY, seed }).map((light, i) => light - truth[i]!)
    expect(lightOf({ ...QUALITY, seed: 1 })).toEqual(lightOf(QUALITY))
    const noises = [0, 1, 2, 3, 4, 5, 0xffffffff].map(noiseOf)
    for (const noise of noises) expect(product(noise, noise)).toBeGreaterThan(0)
    const correlations = noises.flatMap((a, i) =>
      noises.slice(0, i).map(b => product(a, b) / Math.sqrt(product(a, a) * product(b, b))),
    )
    // Each varies by 0.12, because most of the noise is in few pixels.
    expect(Math.abs(mean(correlations))).toBeLessThan(0.1)
    expect(Math.max(...correlations)).toBeLessThan(0.6)
  })

  it('frames have noise of their own, or of the film', () => {
    for (const seed of [1, 2]) {
      const [own, film]: [Quality, Quality] = [
        { ...QUALITY, seed },
        { ...QUALITY, seed, pattern: 'film' },
      ]
      expect(lightOf(own, 7)).not.toEqual(lightOf(own))
      for (const frame of [0, 1, 7, 0xffffffff]) expect(lightOf(film, frame)).toEqual(lightOf(own))
    }
  })
})

const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
