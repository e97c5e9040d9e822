import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { delayOf, writeAnimatedWebp } from '../../../scripts/film/animated-webp.ts'
import { InterruptedError } from '../../../scripts/terminal/interrupt.ts'
import { colorOf, filmFrames } from '../../support/film-frames.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  path = join(folder, 'film.webp')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

/** The mean colour of a page, with its alpha. */
async function meanOf(page: number): Promise<number[]> {
  const { channels } = await sharp(path, { page }).ensureAlpha().stats()
  return channels.map(channel => channel.mean)
}

describe('an animated WebP', () => {
  it('shows every frame at its time, for ever', async () => {
    const film = await filmFrames(folder, 5, [33, 17], { firstFrame: 2 })
    await writeAnimatedWebp(film, 24, path, signal)
    const read = await sharp(path).metadata()
    expect(read).toMatchObject({ format: 'webp', pages: 5, width: 33, height: 17, loop: 0, hasAlpha: false })
    expect(read.delay).toEqual([42, 41, 42, 42, 41])
    for (let page = 0; page < 5; page++) {
      const mean = await meanOf(page)
      colorOf(page + 2).forEach((level, k) => void expect(Math.abs(mean[k]! - level)).toBeLessThan(4))
    }
    // The length that the file claims for itself.
    const bytes = readFileSync(path)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  })

  it('may be of one frame', async () => {
    await writeAnimatedWebp(await filmFrames(folder, 1, [8, 8]), 1, path, signal)
    expect(await sharp(path).metadata()).toMatchObject({ width: 8, height: 8, format: 'webp' })
  })

  it('stays transparent: a frame replaces the one before it', async () => {
    await writeAnimatedWebp(await filmFrames(folder, 3, [16, 16], { alpha: 0.25 }), 10, path, signal)
    expect(await sharp(path).metadata()).toMatchObject({ pages: 3, hasAlpha: true, delay: [100, 100, 100] })
    for (const page of [0, 2]) expect(Math.abs((await meanOf(page))[3]! - 64)).toBeLessThan(2)
  })

  it.each([1, 23.976, 24, 60, 1000])('keeps time at %d frames per second', fps => {
    const delays = Array.from({ length: 1000 }, (_, i) => delayOf(i, fps))
    expect(delays.reduce((sum, ms) => sum + ms)).toBe(Math.round(1e6 / fps))
    expect(Math.max(...delays) - Math.min(...delays)).toBeLessThanOrEqual(1)
  })

  it('ends with what is wrong with a frame, or with the run', async () => {
    const film = await filmFrames(folder, 3, [8, 8])
    const abort = new AbortController()
    abort.abort(new InterruptedError('SIGINT'))
    await expect(writeAnimatedWebp(film, 24, path, abort.signal)).rejects.toThrow(InterruptedError)
    rmSync(join(folder, '0002.png'))
    await expect(writeAnimatedWebp(film, 24, path, signal)).rejects.toThrow(
      /^film\.webp: expected .*0002\.png to be a PNG/,
    )
  })
})
