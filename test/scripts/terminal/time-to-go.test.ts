import { expect, it } from 'vitest'
import { FilmToGo } from '../../../scripts/terminal/time-to-go.ts'

/** Tells of a complete frame, and returns what is left then. */
function frames(total: number) {
  const toGo = new FilmToGo(total)
  let frame = 0
  return (now: number, frameMs: number) => {
    toGo.frame(now, { frame: frame++, frameMs })
    return toGo.left
  }
}

const PART = { pass: 1, passes: 1, samples: 16, mostSamples: 16 }

it('goes by the first frame, then by how fast frames come', () => {
  const frame = frames(6)
  expect(frame(1000, 3000)).toBe('15 s left')
  // Frames overlap: they come twice as often as each takes.
  expect(frame(2500, 3000)).toBe('9 s left')
  expect(frame(4000, 3000)).toBe('6 s left')
  expect(frame(5500, 3000)).toBe('4 s left')
  // What the first one took more is not what those that are left will.
  expect(frame(7000, 3000)).toBe('2 s left')
  expect(frame(8500, 3000)).toBe('')
})

it('is not misled by frames that arrive together', () => {
  const frame = frames(22)
  expect(frame(10_000, 10_000)).toBe('4 min left')
  // Two in progress: they come in pairs, 10 s for each of them.
  expect(frame(10_100, 10_000)).toBe('101 s left')
  expect(frame(20_000, 10_000)).toMatch(/^(2 min|12\d s) left$/)
  expect(frame(20_100, 10_000)).toMatch(/^9\d s left$/)
})

it('follows a film whose frames become harder', () => {
  const frame = frames(1000)
  for (let i = 0; i < 20; i++) frame(i * 100, 100)
  let left = ''
  for (let i = 1; i <= 8; i++) left = frame(1900 + i * 10_000, 10_000)
  expect(left).toBe('2.7 h left')
})

it('says nothing of frames beyond the last', () => {
  expect(frames(0)(0, 1)).toBe('')
})

it('goes by how far the first frame has come until it is complete', () => {
  const toGo = new FilmToGo(1)
  expect([toGo.left, toGo.begun]).toEqual(['', 0])
  toGo.within({ ...PART, frame: 7, elapsedMs: 500, least: 0.01, most: 0.01 })
  expect(toGo.left).toBe('')
  toGo.within({ ...PART, frame: 7, elapsedMs: 10_000, least: 0.25, most: 0.25 })
  expect([toGo.left, toGo.begun]).toEqual(['30 s left', 0.25])
  toGo.frame(40_000, { frame: 7, frameMs: 40_000 })
  expect([toGo.left, toGo.begun, toGo.done]).toEqual(['', 0, 1])
})

it('gives a range where it depends on noise, and counts the frames behind', () => {
  const toGo = new FilmToGo(1)
  toGo.within({ ...PART, frame: 0, elapsedMs: 10_000, least: 0.2, most: 0.5 })
  expect(toGo.left).toBe('10 to 40 s left')
  toGo.within({ ...PART, frame: 0, elapsedMs: 60_000, least: 0.2, most: 0.5 })
  expect(toGo.left).toBe('60 s to 4 min left')
  const film = new FilmToGo(3)
  film.within({ ...PART, frame: 0, elapsedMs: 10_000, least: 0.5, most: 0.5 })
  expect(film.left).toBe('50 s left')
})

it('says nothing of what comes after tracing', () => {
  const toGo = new FilmToGo(1)
  toGo.within({ ...PART, frame: 0, elapsedMs: 10_000, least: 1, most: 1 })
  expect(toGo.left).toBe('')
  const film = new FilmToGo(2)
  film.frame(10_000, { frame: 0, frameMs: 10_000 })
  film.within({ ...PART, frame: 1, elapsedMs: 10_000, least: 1, most: 1 })
  expect(film.left).toBe('')
})

it('counts what is done of the frames in progress', () => {
  const toGo = new FilmToGo(3)
  toGo.frame(10_000, { frame: 0, frameMs: 10_000 })
  expect(toGo.left).toBe('20 s left')
  toGo.within({ ...PART, frame: 1, elapsedMs: 5000, least: 0.5, most: 0.5 })
  expect(toGo.left).toBe('15 s left')
})
