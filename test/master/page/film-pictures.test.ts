/** Which frames of a film a page is shown; on a clock that is turned by hand. */
import { describe, expect, it } from 'vitest'
import { FilmPictures, keptPixels, MOST_KEPT_PX } from '../../../master/page/dashboard/film-pictures.ts'
import { unpackPicture } from '../../../shared/page/page-pictures.ts'
import { Time } from '../../support/watched-hub.ts'

/** A page, and the frames whose pictures it was sent. */
function watching() {
  const time = new Time()
  const sent: { readonly picture: number; readonly frame: number }[] = []
  const pictures = new FilmPictures({
    encode: async pixels => {
      if (pixels[0] === BROKEN) throw new Error('broken')
      return pixels
    },
    send: bytes => {
      const { facts, file } = unpackPicture(bytes as Uint8Array<ArrayBuffer>)
      sent.push({ picture: facts.picture, frame: file[0]! })
    },
    ...{ alarm: time.alarm, now: () => time.now },
  })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    ...{ time, pictures, settle },
    frames: () => sent.map(({ frame }) => frame),
    make: async (frame: number) => {
      pictures.take({
        size: [1, 1],
        fullSize: [1, 1],
        samples: 1,
        mostSamples: 1,
        workers: ['w'],
        pixels: Uint8Array.of(frame),
      })
      await settle()
    },
    draw: () => pictures.drawn(sent.at(-1)!.picture),
    pass: async (ms: number) => {
      time.pass(ms)
      await settle()
    },
  }
}
const BROKEN = 99

it('is shown the newest frame now and then, and the last one of the film', async () => {
  const { make, draw, pass, frames, time } = watching()
  for (let frame = 0; frame < 30; frame++) {
    await make(frame)
    draw()
    await pass(100)
  }
  expect(frames()).toEqual([0, 19])
  await pass(2000)
  expect(frames()).toEqual([0, 19, 29])
  draw()
  await pass(60_000)
  expect(frames()).toHaveLength(3)
  expect(time.alarms).toBe(0)
})

it('is sent none before it has drawn the one before, and then the newest', async () => {
  const { make, draw, pass, frames } = watching()
  for (let frame = 0; frame < 5; frame++) {
    await make(frame)
    await pass(3000)
  }
  expect(frames()).toEqual([0])
  draw()
  await pass(0)
  expect(frames()).toEqual([0, 4])
})

it('is sent nothing while it is hidden, and the newest when it is shown again, also of a film that has ended', async () => {
  const { make, draw, pass, frames, pictures, settle } = watching()
  await make(0)
  draw()
  pictures.shown(false)
  for (let frame = 1; frame < 5; frame++) {
    await make(frame)
    await pass(3000)
  }
  expect(frames()).toEqual([0])
  pictures.shown(true)
  await settle()
  expect(frames()).toEqual([0, 4])
})

it('misses a frame that cannot be encoded', async () => {
  const { make, pass, frames } = watching()
  await make(BROKEN)
  await make(1)
  await pass(2000)
  expect(frames()).toEqual([1])
})

it('wakes nobody when it is closed', async () => {
  const { make, draw, pass, frames, pictures, time } = watching()
  await make(0)
  draw()
  await make(1)
  pictures.close()
  expect(time.alarms).toBe(0)
  await pass(5000)
  expect(frames()).toEqual([0])
})

describe('what is kept of a frame', () => {
  it('is a copy of all of its pixels, if they are not more than a page shows', () => {
    const pixels = Uint8Array.from({ length: 3 * 4 * 3 }, (_, i) => i)
    const kept = keptPixels(pixels, [4, 3])
    expect(kept).toEqual({ fullSize: [4, 3], size: [4, 3], pixels })
    pixels.fill(0)
    expect(kept.pixels[1]).toBe(1)
  })

  it('of more is as many of them, spread over all of it, in its proportions', () => {
    const [width, height] = [8192, 2112] as const
    const pixels = new Uint8Array(width * height * 3)
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at += 3) {
        pixels[at] = x >> 5
        pixels[at + 1] = y >> 4
        pixels[at + 2] = 7
      }
    const { fullSize, size, pixels: kept } = keptPixels(pixels, [width, height])
    expect(fullSize).toEqual([width, height])
    const [w, h] = size
    expect(w * h).toBeLessThanOrEqual(MOST_KEPT_PX)
    expect(w * h).toBeGreaterThan(0.99 * MOST_KEPT_PX)
    expect(w / h).toBeCloseTo(width / height, 2)
    expect(kept).toHaveLength(w * h * 3)
    const at = (x: number, y: number) => [...kept.subarray((y * w + x) * 3).subarray(0, 3)]
    expect(at(0, 0)).toEqual([0, 0, 7])
    expect(at(w - 1, h - 1)).toEqual([255, 131, 7])
    const [r, g, b] = at(w >> 1, h >> 1) as [number, number, number]
    expect(Math.abs(r - 128)).toBeLessThanOrEqual(1)
    expect(Math.abs(g - 66)).toBeLessThanOrEqual(1)
    expect(b).toBe(7)
  })
})
