import { describe, expect, it } from 'vitest'
import type { PassReport } from '../../../shared/frame/frame-report.ts'
import { meanSamples, samplesOf } from '../../../shared/frame/samples-taken.ts'
import { frameState, viewState } from '../../../shared/page/picture-words.ts'
import { randomNumbers } from '../../support/random-numbers.ts'

const pass = (from: number, to: number, pixels: number) => ({ from, to, pixels }) as PassReport

describe('samples of a frame', () => {
  it('are, on average, those of its pixels one by one', () => {
    const random = randomNumbers(7)
    for (let round = 0; round < 50; round++) {
      const pixels = Array.from({ length: 60 }, () => 0)
      const passes: PassReport[] = []
      let open = pixels.length
      for (let from = 0, to = 1; to <= 64; from = to, to *= 2) {
        for (let pixel = 0; pixel < open; pixel++) pixels[pixel]! += to - from
        passes.push(pass(from, to, open))
        open = Math.floor(random() * (open + 1))
      }
      const mean = pixels.reduce((sum, each) => sum + each, 0) / pixels.length
      expect(meanSamples(passes, 60)).toBeCloseTo(mean, 9)
      expect(samplesOf({ passes, size: [10, 6] }, 64).mostSamples).toBe(Math.max(...pixels))
    }
  })

  it('are all that were asked for without passes, and what was there before a resumed frame counts', () => {
    expect(samplesOf({ size: [4, 4] }, 16)).toEqual({ samples: 16, mostSamples: 16 })
    const whole = [pass(4, 8, 16), pass(8, 16, 16)]
    expect(samplesOf({ size: [4, 4], passes: whole }, 16)).toEqual({ samples: 16, mostSamples: 16 })
    // A pass that no cell needed.
    expect(samplesOf({ size: [4, 4], passes: [pass(0, 8, 16), pass(8, 16, 0)] }, 64).mostSamples).toBe(8)
  })

  it('are said as what they are on average where some have more', () => {
    const facts = { stage: 'finished', size: [64, 36], fullSize: [64, 36], samples: 25.4, mostSamples: 256 } as const
    expect(viewState(facts)).toBe('finished, 64×36, 25 samples on average, 256 at most')
    expect(viewState({ ...facts, samples: 256 })).toBe('finished, 64×36, 256 samples')
    const progress = { type: 'progress', seq: 1, samples: 8, mostSamples: 256, leftMs: 2400 } as const
    expect(viewState({ ...facts, samples: 256 }, progress)).toContain(
      '256 samples; again by another strategy, 2 s to go',
    )
    expect(viewState({ ...facts, samples: 1, mostSamples: 1 })).toBe('finished, 64×36, 1 sample')
    expect(frameState({ ...facts, stage: 'preview', samples: 1.53 })).toBe(
      'watching, 64×36, 1.5 samples on average, 256 at most',
    )
    expect(viewState({ ...facts, stage: 'preview', samples: 16 })).toBe('16 of 256 samples')
  })
})
