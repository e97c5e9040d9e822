import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evenPictures, evenSize, inOrder } from '../../../scripts/film/frame-pictures.ts'
import { colorOf, filmFrames } from '../../support/film-frames.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const thing of things) list.push(thing)
  return list
}

describe('frames of a film', () => {
  it('are read in order, from the first of the run', async () => {
    const film = await filmFrames(folder, 4, [4, 2], { firstFrame: 3 })
    const pictures = await all(evenPictures(film, 'film.mp4'))
    expect(pictures.map(picture => [...picture])).toEqual([3, 4, 5, 6].map(n => Array(8).fill(colorOf(n)).flat()))
  })

  it('have even sides: a copy of the last column and row is added', async () => {
    expect([evenSize([4, 2]), evenSize([3, 1])]).toEqual([
      [4, 2],
      [4, 2],
    ])
    const pixels = Uint8Array.from({ length: 9 }, (_, i) => i * 10)
    await sharp(pixels, { raw: { width: 3, height: 1, channels: 3 } })
      .png()
      .toFile(join(folder, '0000.png'))
    const [picture] = await all(evenPictures({ folder, firstFrame: 0, frames: 1, size: [3, 1] }, 'film.mp4'))
    const row = [...pixels, 60, 70, 80]
    expect([...picture!]).toEqual([...row, ...row])
  })

  it('are seen on black where they are transparent', async () => {
    const film = await filmFrames(folder, 1, [2, 2], { alpha: 0.5 })
    const [picture] = await all(evenPictures(film, 'film.mp4'))
    expect(picture).toHaveLength(12)
    colorOf(0).forEach((level, k) => void expect(Math.abs(picture![k]! - level / 2)).toBeLessThan(2))
  })

  it.each<[string, (path: string) => unknown, RegExp]>([
    ['missing', path => rmSync(path), /0001\.png to be a PNG of 40x20 px, got .*ENOENT.*; remove it, and use the same/],
    ['truncated', path => truncateSync(path, 80), /0001\.png to be a PNG of 40x20 px, got /],
    [
      'of another size',
      path =>
        sharp({ create: { width: 4, height: 2, channels: 3, background: '#fff' } })
          .png()
          .toFile(path),
      /0001\.png to be a PNG of 40x20 px, got 4x2 px;/,
    ],
  ])('may be %s, which is said', async (_, harm, sentence) => {
    const film = await filmFrames(folder, 3, [40, 20])
    await harm(join(folder, '0001.png'))
    const reading = all(evenPictures(film, 'film.mp4'))
    await expect(reading).rejects.toMatchObject({ code: 'FILM_FAILED', exitCode: 1 })
    await expect(reading).rejects.toThrow(sentence)
  })
})

it('work on several frames goes on at the same time, and no more than that', async () => {
  let open = 0
  let most = 0
  const made = async (frame: number) => {
    most = Math.max(most, ++open)
    // The first of each pair takes longer.
    for (let turn = 0; turn < (frame % 2 === 0 ? 4 : 1); turn++) await new Promise(setImmediate)
    open--
    return frame
  }
  expect(await all(inOrder({ firstFrame: 5, frames: 9 }, 3, made))).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13])
  expect(most).toBe(3)
})
