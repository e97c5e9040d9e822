import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameRuns, MOST_RUNS } from '../../../master/verification/frame-runs.ts'

function runsOf(frames: Iterable<number>): FrameRuns {
  const runs = new FrameRuns()
  for (const frame of frames) runs.add(frame)
  return runs
}

const inWords = (frames: Iterable<number>): string => runsOf(frames).inWords()

describe('runs of frames', () => {
  it('are named in words', () => {
    expect(inWords([3])).toBe('frame 3')
    expect(inWords([0, 1, 2, 5, 7, 8])).toBe('frames 0 to 2, 5, 7 to 8')
    expect(inWords([8, 2, 7, 1, 5, 0])).toBe('frames 0 to 2, 5, 7 to 8')
  })

  it('are the frames, each once, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 })), frames => {
        const named = new Set<number>()
        for (const [, from, to = from] of (frames.length > 0 ? inWords(frames) : '').matchAll(/(\d+)(?: to (\d+))?/g))
          for (let frame = Number(from); frame <= Number(to); frame++) named.add(frame)
        expect([...named]).toEqual([...new Set(frames)].sort((a, b) => a - b))
        expect(runsOf(frames).count).toBe(named.size)
      }),
    )
  })

  it('are bounded: of too many, those that grew last are named, and the others counted', () => {
    const frames = Array.from({ length: 10_000 }, (_, i) => 2 * i)
    const newest = frames.slice(-MOST_RUNS)
    const named = `frames ${newest.join(', ')} and ${10_000 - MOST_RUNS} others`
    expect(inWords(frames)).toBe(named)
    expect(runsOf(frames).count).toBe(10_000)
    expect(inWords([...frames.toReversed(), ...newest])).toContain(named.slice(0, -20))
    expect(inWords(Array.from({ length: 100_000 }, (_, i) => i))).toBe('frames 0 to 99999')
  })
})
