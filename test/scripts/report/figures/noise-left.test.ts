import { expect, test } from 'vitest'
import { noiseWords } from '../../../../scripts/report/figures/noise-left.ts'
import type { NoiseReport } from '../../../../shared/frame/frame-report.ts'
import { alone } from '../summaries.ts'

/** What is said of a strategy whose frames are like this. */
function said(...noise: readonly (NoiseReport | undefined)[]): string[] {
  const [strategy] = alone().strategies
  const frames = noise.map(noise => ({ ...strategy!.frames[0]!, ...(noise ? { noise } : {}) }))
  return noiseWords([{ ...strategy!, frames }])
}

test('a picture that is too noisy is told of, with what would do', () => {
  expect(said({ limit: 0.05, share: 0.31, most: 0.11, samples: 1024 })).toEqual([
    '31 % of the picture did not reach --noise 0.05 (0.11 where it is noisiest): --samples 1024 would.',
  ])
})

test('of denoised pictures, what is left of their noise is told of', () => {
  const [one] = said({ limit: 0.05, denoised: true, share: 0.31, most: 0.11, samples: 1024 })
  expect(one).toContain('31 % of the denoised picture did not reach --noise 0.05')
})

test('pictures that met their limit, or had none, need no words', () => {
  expect(said({ limit: 0.05, share: 0 })).toEqual([])
  expect(said(undefined)).toEqual([])
  expect(noiseWords([])).toEqual([])
})

test('nothing is advised that is not allowed', () => {
  expect(said({ limit: 0.001, share: 0.5, most: 0.4 }, { limit: 0.001, share: 0.4, most: 0.1, samples: 512 })).toEqual([
    '2 of 2 frames did not reach --noise 0.001 everywhere (up to 50 % of the picture, 0.4 where it is noisiest): its worst part would need more than 16,384 samples, the most that a pixel may have.',
  ])
})

test('of samples so few that noise is as large as light, no number is worked out that they do not know', () => {
  expect(said({ limit: 0.05, share: 0.2, most: 2.1 })).toEqual([
    '20 % of the picture did not reach --noise 0.05 (2.1 where it is noisiest): so few samples do not tell how many it takes; more of them would tell.',
  ])
  const [one] = said({ limit: 0.05, share: 0.2, most: 1 })
  expect(one).toContain('its worst part would need more than 16,384 samples')
})

test('a little too much noise in a few pixels does not read as none', () => {
  expect(said({ limit: 0.05, share: 1e-6, most: 0.05004, samples: 2048 })).toEqual([
    'less than 0.01 % of the picture did not reach --noise 0.05 (0.05004 where it is noisiest): --samples 2048 would.',
  ])
})

test('a very long film is no trouble', () => {
  const noise = Array.from({ length: 200_000 }, (_, i) => ({
    limit: 0.05,
    share: 0.5,
    most: 0.06 + i / 1e6,
    samples: 64,
  }))
  expect(said(...noise.slice(0, 2))).toHaveLength(1)
  const [strategy] = alone().strategies
  const frames = noise.map(noise => ({ ...strategy!.frames[0]!, noise }))
  expect(noiseWords([{ ...strategy!, frames }])[0]).toMatch(
    /^200,000 of 200,000 frames .* 0\.26 where it is noisiest\)/,
  )
})
