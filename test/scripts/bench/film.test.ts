/** The bench of denoised films on tiny frames. */
import { describe, expect, it } from 'vitest'
import { benchFilm, type FilmBench, flickerRatio, ratioOf } from '../../../scripts/bench/denoise/bench-film.ts'

const { signal } = new AbortController()

describe('bench denoise --film', () => {
  it('measures films as they are made, and with samples of their own in each frame', async () => {
    const options = { scenes: ['hair'], size: [16, 16], samples: 4, reference: 8, frames: 3 } as const
    const { rows } = await benchFilm(options, signal, () => {})
    const [{ still, moving }] = rows as [FilmBench['rows'][number]]
    expect(still.noisy).toBeGreaterThan(0)
    expect(still.denoised).toBe(0)
    expect(still.anew).toBeGreaterThan(0)
    for (const value of [moving.noisy, moving.denoised, moving.anew]) expect(value).toBeGreaterThan(0)
    expect(moving.denoised).not.toBe(moving.anew)
  })

  it('compares each with the noisy one, on average over scenes', () => {
    const flicker = { noisy: 2, denoised: 1, anew: 3 }
    const half = { noisy: 8, denoised: 1, anew: 8 }
    const row = (name: string, still: typeof flicker) => ({ name, still, moving: flicker })
    const bench: FilmBench = {
      scenes: [],
      size: [1, 1],
      samples: 1,
      reference: 1,
      frames: 2,
      rows: [row('a', flicker), row('b', half)],
    }
    expect(ratioOf(flicker, 'anew')).toBe(1.5)
    expect(flickerRatio(bench, 'still', 'denoised')).toBeCloseTo(0.25, 12)
    expect(flickerRatio(bench, 'still', 'anew')).toBeCloseTo(Math.sqrt(1.5), 12)
    expect(flickerRatio(bench, 'moving', 'denoised')).toBeCloseTo(0.5, 12)
    // Black frames do not flicker, with noise or without.
    expect(ratioOf({ noisy: 0, denoised: 0, anew: 0 }, 'denoised')).toBe(0)
    expect(ratioOf({ noisy: 0, denoised: 1, anew: 0 }, 'denoised')).toBe(Infinity)
  })
})
