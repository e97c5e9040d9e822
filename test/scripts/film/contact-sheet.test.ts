import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contactSheet } from '../../../scripts/film/contact-sheet.ts'
import { sheetFrames, sheetLayout } from '../../../scripts/film/sheet-layout.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { colorOf, filmFrames } from '../../support/film-frames.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the frames on a contact sheet', () => {
  it.each([
    [0, 1, [0]],
    [5, 3, [5, 6, 7]],
    [0, 24, Array.from({ length: 24 }, (_, i) => i)],
  ])('from %d on, of %d, are %j', (first, frames, shown) => expect(sheetFrames(first, frames)).toEqual(shown))

  it.each([25, 47, 240, 1_000_000])('of %d are 24, evenly spaced, with the first and the last', frames => {
    const shown = sheetFrames(10, frames)
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([24, 10, 9 + frames])
    const steps = shown.slice(1).map((frame, i) => frame - shown[i]!)
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
  })
})

describe('the layout of a contact sheet', () => {
  it.each<[number, Size, number, number, Size]>([
    [24, [1280, 720], 6, 4, [320, 180]],
    [20, [1280, 720], 5, 4, [320, 180]],
    [1, [1280, 720], 1, 1, [320, 180]],
    [24, [720, 1280], 8, 3, [135, 240]],
    [9, [500, 500], 5, 2, [240, 240]],
    [6, [16384, 1], 1, 6, [320, 1]],
    [4, [48, 27], 2, 2, [48, 27]],
  ])('of %d frames of %j px has %d columns, %d rows', (count, size, columns, rows, thumb) =>
    expect(sheetLayout(count, size)).toMatchObject({ columns, rows, thumb }),
  )

  it('puts pictures side by side, inside, without overlap', () => {
    const { at, thumb, size } = sheetLayout(7, [1280, 720])
    const places = Array.from({ length: 7 }, (_, i) => at(i))
    for (const [x, y] of places) {
      expect(x >= 28 && x + thumb[0] + 28 <= size[0]).toBe(true)
      expect(y >= 28 && y + thumb[1] + 28 <= size[1]).toBe(true)
    }
    for (const [i, [x, y]] of places.entries())
      for (const [u, v] of places.slice(i + 1))
        expect(Math.abs(x - u) > thumb[0] || Math.abs(y - v) > thumb[1]).toBe(true)
  })
})

describe('a contact sheet', () => {
  it('shows frames where they belong, labels beneath them, and a title', async () => {
    const film = await filmFrames(folder, 5, [640, 360])
    const sheet = await contactSheet('a <scene> & more', film, process.env)
    const { size, thumb, at } = sheetLayout(5, film.size)
    const { data, info } = await sharp(sheet).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, info.channels]).toEqual([...size, 3])
    const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
    const brightest = async (left: number, top: number, width: number, height: number) =>
      (await sharp(sheet).extract({ left, top, width, height }).greyscale().stats()).channels[0]!.max
    expect(pixel(2, 2)).toEqual([0x10, 0x15, 0x1d])
    for (let frame = 0; frame < 5; frame++) {
      const [x, y] = at(frame)
      expect(pixel(x + thumb[0] / 2, y + thumb[1] / 2)).toEqual([...colorOf(frame)])
      expect(await brightest(x, y + thumb[1] + 4, 60, 18)).toBeGreaterThan(100)
    }
    expect(await brightest(28, 28, 200, 24)).toBeGreaterThan(200)
    expect(await brightest(size[0] - 128, 28, 100, 24)).toBeGreaterThan(100)
  })

  it('has room for a tiny frame, and says what is wrong with one', async () => {
    const film = await filmFrames(folder, 2, [3, 2])
    const { width, height } = await sharp(await contactSheet('x'.repeat(300), film, process.env)).metadata()
    expect([width, height]).toEqual(sheetLayout(2, [3, 2]).size)
    rmSync(join(folder, '0001.png'))
    await expect(contactSheet('x', film, process.env)).rejects.toThrow(
      /^contact-sheet\.png: expected .*0001\.png to be a PNG of 3x2 px/,
    )
  })
})
